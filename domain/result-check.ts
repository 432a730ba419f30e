import { nullOn } from './errors.ts'
import { Finish, type Finisher } from './finish.ts'
import { DOUBLE, gameplayOf, type GameplayClass } from './gameplay.ts'
import { isDecided, isHit } from './settlement.ts'

/** What is wrong with a race's result, or with a dividend. */
export type ResultProblem =
  /** No horse has the first place. */
  | 'no-winner'
  /** A place that is greater than the number of starters. */
  | 'place-beyond-field'
  /** Places that more horses share than the next place allows: 1, 1, 2. */
  | 'places-overlap'
  /** A place that nobody has, before one that somebody has: 1, 2, 4. */
  | 'place-missing'
  /** The first place is shared by all of three or more starters, or by four. */
  | 'too-many-first'
  | 'no-such-runner'
  | 'withdrawn-runner'
  /** A dividend for a combination that does not win by the places. */
  | 'dividend-contradicts-places'
  /** A result that is known before the race starts. */
  | 'before-the-start'

/** Problems that a race may have in truth, in rare cases: an operator can confirm them. */
const CONFIRMABLE: readonly ResultProblem[] = [
  'place-missing',
  'too-many-first',
  'dividend-contradicts-places',
  'before-the-start',
]

export const isConfirmable = (problem: string): boolean => CONFIRMABLE.some((each) => each === problem)

export interface ResultFault {
  problem: ResultProblem
  /** What was found, in English, for a report. */
  detail: string
  /** The saddle number that it is about; `null` if it is about the race. */
  horseNo: number | null
}

const fault = (problem: ResultProblem, detail: string, horseNo: number | null = null): ResultFault => ({
  problem,
  detail,
  horseNo,
})

/** As many horses have never shared the first place. */
const TOO_MANY_FIRST = 4
const WHOLE_FIELD = 3

/**
 * The first thing that is wrong with the places of a race that was run; `null` if a race can end so. `finishers`: every
 * declared runner with a saddle number.
 */
export function placesFault(finishers: readonly Finisher[]): ResultFault | null {
  const starters = finishers.filter(({ started }) => started)
  const sharing = new Map<number, number[]>()
  for (const { place, horseNo } of starters)
    if (place !== null) sharing.set(place, [...(sharing.get(place) ?? []), horseNo])
  const winners = sharing.get(1)?.length ?? 0
  if (winners === 0) return fault('no-winner', `${starters.length} starters, none has place 1`)
  let taken = 0
  let missing: ResultFault | null = null
  for (const [place, horses] of [...sharing].toSorted(([a], [b]) => a - b)) {
    const told = `place ${place} of horse ${horses.join(', ')}`
    if (place > starters.length)
      return fault('place-beyond-field', `${told}; ${starters.length} starters`, horses[0])
    if (place <= taken) return fault('places-overlap', `${told}; ${taken} horses are in front`, horses[0])
    if (place > taken + 1) missing ??= fault('place-missing', `no horse has place ${taken + 1}`)
    taken = place + horses.length - 1
  }
  if (winners >= TOO_MANY_FIRST || (winners >= WHOLE_FIELD && winners === starters.length))
    return fault('too-many-first', `${winners} of ${starters.length} starters have place 1`)
  return missing
}

/** A dividend as it is stored. */
interface Line {
  gameplayClass: number | null
  combination: string
  status: 'paid' | 'refund' | 'unknown'
}

/** The saddle numbers of a line that are of its own race: of a double, those of the second race. */
function horsesOf({ gameplayClass, combination }: Line): number[] {
  if (gameplayClass === null || combination === '') return []
  const own = gameplayClass === DOUBLE.class ? (combination.split('/')[1] ?? '') : combination
  // The letter F stands for any horse.
  return own.split(/[-,]/).flatMap((part) => (part === 'F' ? [] : [Number(part)]))
}

/**
 * A horse of a dividend that is no runner of the race, or that was paid although it did not start; `null` if there is
 * none.
 */
export function lineFault(line: Line, finishers: readonly Finisher[]): ResultFault | null {
  const runners = new Map(finishers.map((finisher) => [finisher.horseNo, finisher]))
  const running = new Set(
    finishers.flatMap(({ started, horseNo, entryNo }) => (started ? [entryNo ?? horseNo, horseNo] : [])),
  )
  const horses = horsesOf(line)
  // A bet on a double whose second horse is withdrawn is one on the favourite: its number stands beside the winner's.
  if (line.gameplayClass === DOUBLE.class && horses.some((horseNo) => running.has(horseNo))) return null
  for (const horseNo of horses) {
    const told = `${line.combination}: horse ${horseNo}`
    if (!runners.has(horseNo) && !running.has(horseNo))
      return fault('no-such-runner', `${told} is none of ${finishers.length} runners`, horseNo)
    if (line.status === 'paid' && !running.has(horseNo))
      return fault('withdrawn-runner', `${told} did not run`, horseNo)
  }
  return null
}

/**
 * The first paid line that is no hit by the official places, which happens in truth only if the result was amended after
 * the pools had paid; `null` if there is none, or if the places contradict each other. `places`: paid by the race; lines
 * of the place pool are not judged if it is 0.
 */
export function contradiction(
  lines: readonly Line[],
  finishers: readonly Finisher[],
  places: number,
): ResultFault | null {
  const finish = nullOn('bad-finish', () => new Finish(finishers))
  if (finish === null) return null
  const wrong = lines.find(({ status, gameplayClass, combination }) => {
    if (status !== 'paid' || gameplayClass === null || gameplayClass >= DOUBLE.class) return false
    if (gameplayClass === 2 && places === 0) return false
    if (!isDecided(gameplayClass as GameplayClass, finish)) return false
    const horses = combination.split('-').map(Number)
    return !isHit(gameplayClass as GameplayClass, horses, { finish, places })
  })
  if (wrong === undefined) return null
  const pool = gameplayOf(wrong.gameplayClass as GameplayClass).key
  return fault('dividend-contradicts-places', `${pool} ${wrong.combination} was paid, and does not win`)
}
