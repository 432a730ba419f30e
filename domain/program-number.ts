/**
 * How far the saddle number of a horse with a letter is from that of its entry, for each letter that programs of the United States
 * print: `1A` is stored as 31. No program has a number above 24.
 */
export const ENTRY_LETTERS: Readonly<Record<string, number>> = { A: 30, B: 50, C: 70, X: 80 }

const LETTER_OF = new Map(Object.entries(ENTRY_LETTERS).map(([letter, distance]) => [distance, letter]))

/** A runner by its saddle number, and the number on which it is bet together with others, if it is. */
export interface Numbered {
  horseNumber: number | null
  entryNumber: number | null
}

/**
 * The number as the program prints it; `null` of a runner without one.
 *
 * ```ts
 * programNumber({ horseNumber: 31, entryNumber: 1 }) // => '1A'
 * programNumber({ horseNumber: 31, entryNumber: null }) // => '31'
 * ```
 */
export function programNumber(runner: Numbered): string | null {
  const { horseNumber, entryNumber } = runner
  const letter = letterOf(runner)
  if (letter !== undefined) return `${entryNumber}${letter}`
  return horseNumber === null ? null : String(horseNumber)
}

/** Sort key of the program’s order, in which `1A` comes between `1` and `2`; `null` of a runner without a number. */
export const programOrder = (runner: Numbered): number | null => {
  const { horseNumber, entryNumber } = runner
  return letterOf(runner) === undefined ? horseNumber : entryNumber! + (horseNumber! - entryNumber!) / 100
}

/** The runners in the program's order; those without a number come last. */
export const inProgramOrder = <Runner extends Numbered>(runners: readonly Runner[]): Runner[] =>
  runners.toSorted(
    (a, b) => (programOrder(a) ?? Number.POSITIVE_INFINITY) - (programOrder(b) ?? Number.POSITIVE_INFINITY),
  )

const letterOf = ({ horseNumber, entryNumber }: Numbered): string | undefined =>
  horseNumber === null || entryNumber === null ? undefined : LETTER_OF.get(horseNumber - entryNumber)
