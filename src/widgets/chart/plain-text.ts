const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/**
 * A text as the chart library shows it unchanged: it would otherwise read tags, and draw a link of a value of somebody's
 * statement. Line breaks stay.
 */
export const plainText = (text: string): string =>
  text.replaceAll(/[&<>]/g, (character) => ENTITIES[character]!).replaceAll(/\r\n?|\n/g, '<br>')
