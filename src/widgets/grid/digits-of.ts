/** About how many digits wide a text is: a Chinese character is as wide as two. */
export const digitsOf = (text: string): number =>
  Array.from(text).reduce((sum, character) => sum + (character > '\u2e7f' ? 2 : 1), 0)
