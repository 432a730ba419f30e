/** Bet types ("gameplay classes"): decisions section 2, domain notes section 1. */
export type GameplayClass = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9

/**
 * The double: the winners of two consecutive races. Its dividends are published, but it is never
 * predicted. Its line belongs to the second race; the combination is the winner of the first, a slash, and
 * the winner of the second.
 */
export const DOUBLE = { class: 10, key: 'double' } as const

/** Any horse: stands for the leg of a double whose race was not run. */
const FIELD = 'F'

/**
 * Normalises the combination `3/4` of a double as sources print it: `10/5,10` after a dead heat for first,
 * `12/F` (the field) where one of its races was abandoned. `null` if the text is not one.
 */
export function doubleText(written: string): string | null {
  const legs = written.split('/').map((leg) => leg.split(',').map((horse) => horse.trim()))
  const isNumber = (text: string): boolean => /^\d{1,2}$/.test(text) && Number(text) > 0
  const isLeg = (leg: readonly string[]): boolean => leg.every(isNumber) || leg.join('') === FIELD
  if (legs.length !== 2 || !legs.every(isLeg) || legs.every(([first]) => first === FIELD)) return null
  return legs.map((leg) => leg.map((text) => (text === FIELD ? text : Number(text))).join(',')).join('/')
}

/** How a combination wins, given a finishing order of the starters. */
type HitRule =
  /** Every chosen horse is among the first `depth`. */
  | 'among'
  /** The chosen horses are exactly the first ones, in any order. */
  | 'set'
  /** The chosen horses are exactly the first ones, in that order. */
  | 'order'

export interface Gameplay {
  class: GameplayClass
  key: string
  /** Number of horses in one combination. */
  size: number
  rule: HitRule
  /** Number of finishers that decide an `among` bet; `places` is the race's own number of places. */
  depth: number | 'places'
  /** How many of the race's ranked horses a result line shows. */
  numbersShown: number
}

const gameplay = (
  classId: GameplayClass,
  key: string,
  size: number,
  rule: HitRule,
  depth: number | 'places',
  numbersShown: number,
): Gameplay => ({ class: classId, key, size, rule, depth, numbersShown })

export const GAMEPLAYS: readonly Gameplay[] = [
  gameplay(1, 'win', 1, 'order', 1, 1),
  gameplay(2, 'place', 1, 'among', 'places', 3),
  gameplay(3, 'quinella', 2, 'set', 2, 2),
  gameplay(4, 'quinella_place', 2, 'among', 3, 3),
  gameplay(5, 'forecast', 2, 'order', 2, 2),
  gameplay(6, 'trio', 3, 'set', 3, 3),
  gameplay(7, 'tierce', 3, 'order', 3, 3),
  gameplay(8, 'first4', 4, 'set', 4, 4),
  gameplay(9, 'quartet', 4, 'order', 4, 4),
]

/** Race-detail tabs in screen order; `null` is the runners tab. The index is never a class id. */
export const RACE_TABS: readonly (GameplayClass | null)[] = [null, 1, 2, 3, 4, 5, 7, 6, 8, 9]

/** The bet type of a class id 1 to 9. */
export const gameplayOf = (classId: GameplayClass): Gameplay => GAMEPLAYS[classId - 1]!

/** How many combinations of a class a field of `starters` has: the number of outcomes of a random pick. */
export function combinationCount(classId: GameplayClass, starters: number): number {
  const { size, rule } = gameplayOf(classId)
  let count = 1
  for (let chosen = 0; chosen < size; chosen += 1) count *= Math.max(0, starters - chosen)
  const orders = rule === 'order' ? 1 : [1, 1, 2, 6, 24][size]!
  return count / orders
}

/** Every choice of `size` items: in every order if `ordered`, otherwise each set once. */
export function choices(items: readonly number[], size: number, ordered: boolean): number[][] {
  if (size === 0) return [[]]
  return items.flatMap((item, index) =>
    choices(ordered ? items.toSpliced(index, 1) : items.slice(index + 1), size - 1, ordered).map((rest) => [
      item,
      ...rest,
    ]),
  )
}

/** Saddle numbers of a combination as one text: in order for ordered classes, otherwise ascending. */
export function combinationText(classId: GameplayClass, horses: readonly number[]): string {
  const ordered = gameplayOf(classId).rule === 'order'
  return (ordered ? horses : horses.toSorted((a, b) => a - b)).join('-')
}
