import type { RaceDraft } from '../../drafts/drafts.ts'

/** Kinds of races that are classes here; others keep Betfair's words. */
const CLASSES: readonly (readonly [RegExp, string])[] = [
  [/^CL(\d)$/, 'C$1'],
  [/^Grp(\d)$/, 'G$1'],
]

/** The class of a race by the kind that Betfair calls it. */
export const classOf = (kind: string | null): string | null =>
  kind === null ? null : CLASSES.reduce((word, [pattern, own]) => word.replace(pattern, own), kind)

/** The name of an Australian market: `R7 1100m Hcap`. */
const NUMBERED = /^R(\d{1,2}) +(\d{3,5})m\b *(.*)$/

/** What the name of an Australian market says of its race; everything `null` for a market of another name. */
export function australianRace(
  name: string,
): Pick<RaceDraft, 'distanceM' | 'raceClass'> & { raceNo: number | null } {
  const [, raceNo, metres, kind] = NUMBERED.exec(name) ?? []
  if (raceNo === undefined) return { raceNo: null, distanceM: null, raceClass: null }
  return { raceNo: Number(raceNo), distanceM: Number(metres), raceClass: classOf(kind || null) }
}
