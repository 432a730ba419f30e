/** An `ilike` pattern that matches `text` anywhere; `%`, `_` and `\` in the text are escaped. */
export const anywhere = (text: string): string => `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
