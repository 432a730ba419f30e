import { groupBy } from '../../../domain/group-by.ts'
import { centsText } from '../../../domain/money.ts'
import { usualLengths } from '../../../domain/margin.ts'
import { regionOfStadium } from '../../../domain/region.ts'
import { hitCount } from '../../../domain/settlement.ts'
import {
  BREEDING,
  breedingOf,
  type DividendDraft,
  type Names,
  type PersonDraft,
  type RaceDraft,
  type RunnerDraft,
} from '../../drafts/drafts.ts'
import { areDifferentYears, isByName, yearOfBirth } from '../../drafts/horse-names.ts'
import { finishersOf, type RaceField } from '../../drafts/race-field.ts'
import { poolKeyOf } from './judge.ts'

type Figure = string | number | null

/** Receives what a file says otherwise than is stored; what is stored is kept. */
export type Differs = (what: string, own: Figure, stored: Figure) => void

/** What a runner's row says otherwise; `index`: of the runner in the file's race. */
export type RunnerDiffers = (index: number, ...differing: Parameters<Differs>) => void

/** Knows who a runner's people are. */
interface People {
  of(kind: 'jockey' | 'trainer'): {
    stored(stored: PersonDraft | null, own: PersonDraft | null, differs: Differs): PersonDraft | null
  }
}

const FACTS = [
  'raceClass',
  'track',
  'course',
  'distanceM',
  'going',
  'ratingRange',
  'prizeCents',
  'winningTimeMs',
] as const

const CARD = ['draw', 'actualWeightLb', 'declaredWeightLb', 'winOdds', 'age', 'sex', 'owner'] as const
const RESULT = ['place', 'placeCode', 'margin', 'runningPosition', 'finishTimeMs'] as const

/** Final odds were published up to this figure once: it stands for all that are longer. */
const HIGHEST_SHOWN = 99

/** Lengths that sources give one margin in words differ by less. */
const SAME_MARGIN = 0.06

/** One source rounds a price to hundredths, and another one does not. */
const ROUNDED = 0.0051

/** Whether two names have the same letters and digits. */
export const sameText = (one: string, other: string): boolean => lettersOf(one) === lettersOf(other)
const lettersOf = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')

/** Whether a file's figure and the stored one can both be true. */
const SAME: Readonly<Record<string, (own: Figure, stored: Figure) => boolean>> = {
  margin: (one, other) => {
    const [own, stored] = [usualLengths(String(one)), usualLengths(String(other))]
    return own === null || stored === null || Math.abs(own - stored) < SAME_MARGIN
  },
  winOdds: (own, stored) =>
    (own === HIGHEST_SHOWN && Number(stored) >= HIGHEST_SHOWN) ||
    Math.abs(Number(own) - Number(stored)) < ROUNDED,
  runningPosition: (one, other) => sameText(String(one), String(other)),
  owner: (one, other) => sameText(String(one), String(other)),
}

/** Whether a stored figure only says that the true one is as large or larger. */
const IS_CAP: Readonly<Record<string, (own: Figure, stored: Figure) => boolean>> = {
  winOdds: (own, stored) => stored === HIGHEST_SHOWN && Number(own) > HIGHEST_SHOWN,
}

const inWords = (key: string): string => key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** `stored`, with what it lacks from `own`. */
function filled<Key extends string, Each extends Record<Key, Figure>>(
  stored: Each,
  own: Record<Key, Figure>,
  keys: readonly Key[],
  differs: Differs,
): Each {
  const facts: Partial<Record<Key, Figure>> = {}
  for (const key of keys) {
    const [value, before] = [own[key], stored[key]]
    if (value === null || value === before) continue
    if (before === null || (IS_CAP[key]?.(value, before) ?? false)) facts[key] = value
    else if (!(SAME[key]?.(value, before) ?? false)) differs(inWords(key), value, before)
  }
  return { ...stored, ...facts }
}

/** Stored names with the English one of a file; another spelling is told. */
export function named(
  { en: before, hant, hans }: Names,
  en: string | null,
  differs: Differs,
  what: string,
): Names {
  if (en !== null && before !== null && !sameText(before, en)) differs(what, en, before)
  return { en: before ?? en, hant, hans }
}

/** A stored race with the facts that it lacks. */
export function completeFacts<Each extends Omit<RaceDraft, 'runners'>>(
  stored: Each,
  own: Omit<RaceDraft, 'runners'>,
  differs: Differs,
): Each {
  if (own.status !== stored.status) differs('status', own.status, stored.status)
  return { ...filled(stored, own, FACTS, differs), name: named(stored.name, own.name.en, differs, 'name') }
}

/** The index of the stored runner that a runner is: by its saddle number, or else by its brand. */
function indexOf(stored: RaceDraft, { horseNo, brand }: RunnerDraft): number {
  const byNumber = horseNo === null ? -1 : stored.runners.findIndex((each) => each.horseNo === horseNo)
  return byNumber >= 0 ? byNumber : stored.runners.findIndex((each) => each.brand === brand)
}

/** The stored runner with the saddle number of a file's. */
export const storedRunner = (stored: RaceDraft, runner: RunnerDraft): RunnerDraft | undefined =>
  stored.runners[indexOf(stored, runner)]

/** Whether most of a race's horses are those of the stored race; otherwise it is another race under its number. */
export const isSameRace = (stored: RaceDraft, { runners }: RaceDraft): boolean =>
  2 * runners.filter((runner) => storedRunner(stored, runner)?.brand === runner.brand).length > runners.length

/** Whether a stored race has a result with its runners: only such a race is completed. */
export const hasResult = (stored: RaceDraft | undefined): stored is RaceDraft =>
  stored?.status === 'final' && stored.runners.length > 0

/** A stored race with what it lacks of a file's race; runners that it does not have are told. */
export function completeRace(
  stored: RaceDraft,
  own: RaceDraft,
  people: People,
  differs: RunnerDiffers,
): RaceDraft {
  const runners = [...stored.runners]
  for (const [index, runner] of own.runners.entries()) {
    const told: Differs = (what, ...figures) =>
      differs(index, `${runner.horseNo ?? runner.brand} ${what}`, ...figures)
    const at = indexOf(stored, runner)
    if (at < 0) told('runner', runner.brand, null)
    else runners[at] = completeRunner(runners[at]!, runner, people, told, yearIn(stored, runner))
  }
  return { ...completeFacts(stored, own, (...differing) => differs(0, ...differing)), runners }
}

const yearIn = ({ stadiumId, date }: RaceDraft, { age, horse }: RunnerDraft): number | null =>
  yearOfBirth(regionOfStadium(stadiumId)!, date, { age, name: horse.en })

function completeRunner(
  stored: RunnerDraft,
  own: RunnerDraft,
  people: People,
  differs: Differs,
  born: number | null,
): RunnerDraft {
  // What is stored is of another horse of the name, with which this runner was taken for one.
  const isOther =
    areDifferentYears(stored.horse.born ?? null, born) &&
    own.brand === stored.brand &&
    isByName(own.brand, own.horse)
  if (own.brand !== stored.brand) differs('brand', own.brand, stored.brand)
  const runner = {
    ...filled(stored, own, CARD, differs),
    horse: isOther
      ? own.horse
      : {
          ...filled(breedingOf(stored.horse), breedingOf(own.horse), BREEDING, differs),
          ...named(stored.horse, own.horse.en, differs, 'horse'),
        },
    jockey: people.of('jockey').stored(stored.jockey, own.jockey, differs),
    trainer: people.of('trainer').stored(stored.trainer, own.trainer, differs),
  }
  // Another status has other figures: a horse that was disqualified had a place before.
  if (own.status === stored.status) return filled(runner, own, RESULT, differs)
  differs(
    'status',
    own.place ?? own.placeCode ?? own.status,
    stored.place ?? stored.placeCode ?? stored.status,
  )
  return runner
}

/** Horses that share a place are in a dead heat, which not every source says. */
export function withDeadHeats(race: RaceDraft): RaceDraft {
  const sharing = groupBy(race.runners, ({ place }) => place)
  const runners = race.runners.map((runner) => ({
    ...runner,
    deadHeat: runner.place !== null && sharing.get(runner.place)!.length > 1,
  }))
  return { ...race, runners }
}

const shown = ({ status, dividendCents }: DividendDraft): string =>
  dividendCents === null ? status : centsText(dividendCents)

/** Whether a pool's stored lines are all that the result pays, so that another line contradicts them. */
function isWhole(stored: readonly DividendDraft[], field: RaceField | undefined): boolean {
  const gameplayClass = stored[0]?.gameplayClass ?? null
  if (stored.some(({ status, combination }) => status === 'refund' && combination === '')) return true
  if (gameplayClass === null || field === undefined) return false
  return stored.length >= hitCount(gameplayClass, finishersOf(field.runners), field.places)
}

/**
 * The lines of pools with those that are stored: a line that is stored without an amount gets it, a line that is missing is
 * added, and a line that contradicts what is stored is told and left out.
 */
export function completePools(
  own: readonly DividendDraft[],
  stored: readonly DividendDraft[],
  fields: ReadonlyMap<string, RaceField>,
  differs: (line: DividendDraft, stored: string) => void,
): DividendDraft[] {
  const before = groupBy(stored, poolKeyOf)
  return [...groupBy(own, poolKeyOf)].flatMap(([key, lines]) => {
    const known = before.get(key) ?? []
    const all = new Map(known.map((line) => [line.combination, line]))
    const whole = known.length > 0 && isWhole(known, fields.get(lines[0]!.raceId))
    for (const line of lines) {
      const same = all.get(line.combination)
      if (same === undefined ? !whole : same.status === 'unknown') all.set(line.combination, line)
      else if (same === undefined)
        differs(line, known.map((each) => `${each.combination} ${shown(each)}`).join(', '))
      else if (same.dividendCents !== line.dividendCents || same.status !== line.status)
        differs(line, shown(same))
    }
    return [...all.values()]
  })
}
