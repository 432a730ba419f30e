/** A text as a pattern of `ilike` that finds it anywhere; its own `%` and `_` stand for themselves. */
export const anywhere = (text: string): string => `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
