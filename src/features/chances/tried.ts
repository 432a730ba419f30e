import type { Trial, TrialChange } from '../../../contract/api/trial.ts'
import { gearItems } from '../../../domain/gear.ts'

export type TrialRunner = Trial['runners'][number]

/** What the reader tries: another going, and what is changed of runners, by number. */
export interface Tried {
  going: string | null
  changes: readonly TrialChange[]
}

export const NOTHING_TRIED: Tried = { going: null, changes: [] }

/** What can be changed of a runner. */
export const CHANGEABLE = ['jockeyId', 'draw', 'weightLb', 'gear', 'withdrawn'] as const
export type Changeable = (typeof CHANGEABLE)[number]

const changeOf = ({ changes }: Tried, number: number): TrialChange | undefined =>
  changes.find(({ horseNumber }) => horseNumber === number)

/** A runner of the card as it is tried. */
export const triedRunner = (runner: TrialRunner, tried: Tried): TrialRunner & { withdrawn: boolean } => ({
  ...runner,
  withdrawn: false,
  ...changeOf(tried, runner.horseNumber),
})

/** Changes one thing of a runner; what is again as on the card is no change. */
export function withChange<Key extends Changeable>(
  tried: Tried,
  runner: TrialRunner,
  key: Key,
  value: TrialChange[Key] | null,
): Tried {
  const { horseNumber } = runner
  const before = Object.entries(changeOf(tried, horseNumber) ?? {})
  const declared = { ...runner, withdrawn: false }[key]
  const changed = [
    ...before.filter(([name]) => name !== key && name !== 'horseNumber'),
    ...(value === null || value === declared ? [] : [[key, value] as const]),
  ]
  const others = tried.changes.filter((each) => each.horseNumber !== horseNumber)
  return {
    ...tried,
    changes: changed.length === 0 ? others : [...others, { horseNumber, ...Object.fromEntries(changed) }],
  }
}

/** Another stall for a runner: the one that stands there gets its stall. */
export function withDraw(
  tried: Tried,
  runners: readonly TrialRunner[],
  runner: TrialRunner,
  draw: number,
): Tried {
  const now = triedRunner(runner, tried).draw
  const other = runners.find(
    (each) => each.horseNumber !== runner.horseNumber && triedRunner(each, tried).draw === draw,
  )
  const moved = withChange(tried, runner, 'draw', draw)
  return other === undefined ? moved : withChange(moved, other, 'draw', now)
}

/** Takes back what was changed of a runner; of a stall, both runners that changed theirs go back, so that none shares one. */
export function withoutChange(
  tried: Tried,
  runners: readonly TrialRunner[],
  number: number,
  key: Changeable,
): Tried {
  const runner = runners.find(({ horseNumber }) => horseNumber === number)!
  return key === 'draw' && runner.draw !== null
    ? withDraw(tried, runners, runner, runner.draw)
    : withChange(tried, runner, key, null)
}

/** Gear that is offered to be put on for the first time. */
const OFFERED = ['B', 'V', 'CP', 'H', 'P', 'TT', 'XB', 'SR']

/**
 * Gear that can be tried instead of the declared one, as published: with each piece that it does not have put on for the
 * first time, and with each worn piece taken off.
 */
export function gearChoices(declared: string | null): string[] {
  const items = gearItems(declared ?? '')
  const texts = (declared ?? '').split('/').filter((text) => !/^-*$/.test(text))
  const worn = items.filter(({ mark }) => mark !== 'off')
  const added = OFFERED.filter((code) => worn.every((item) => item.code !== code))
  return [
    ...added.map((code) => [...texts.filter((text) => text !== `${code}-`), `${code}1`].join('/')),
    ...items.flatMap(({ code, mark }, at) =>
      mark === 'off' ? [] : [texts.map((text, index) => (index === at ? `${code}-` : text)).join('/')],
    ),
  ]
}

/** Goings of each kind of track, from dry to wet. */
const GOINGS: Readonly<Record<string, readonly string[]>> = {
  turf: ['firm', 'good_to_firm', 'good', 'good_to_yielding', 'yielding', 'yielding_to_soft', 'soft', 'heavy'],
  awt: ['good', 'awt_fast', 'awt_slow', 'wet_fast', 'wet_slow', 'sealed'],
  dirt: ['fast', 'good', 'slow', 'wet_fast', 'sealed'],
}

/** The goings that can be tried on a track, the card's own among them. */
export const goingChoices = (track: string | null, declared: string): string[] => [
  ...new Set([...(declared === '' ? [] : [declared]), ...(GOINGS[track ?? 'turf'] ?? GOINGS['turf']!)]),
]
