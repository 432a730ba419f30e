import { groupBy } from '../../../domain/group-by.ts'
import type { OddsTickDraft } from '../../drafts/drafts.ts'
import type { RacingWriter } from '../../store/racing/racing-writer.ts'

/** A draft with the line that it is read from. */
export interface Located<Each> {
  draft: Each
  line: number
}

const momentOf = ({ horseNo, seenAt }: Pick<OddsTickDraft, 'horseNo' | 'seenAt'>): string =>
  `${horseNo} ${Date.parse(seenAt)}`

/**
 * The races of which odds are stored that are not among these, by their ids, with a line of the file and what is told of them. The
 * odds of two sources beside each other would move from one to the other and back.
 */
export async function mixedOdds(
  writer: Pick<RacingWriter, 'oddsTimesOf'>,
  ticks: readonly Located<OddsTickDraft>[],
): Promise<Map<string, { line: number; detail: string }>> {
  const own = groupBy(ticks, ({ draft }) => draft.raceId)
  const stored = groupBy(await writer.oddsTimesOf([...own.keys()]), ({ raceId }) => raceId)
  const mixed = new Map<string, { line: number; detail: string }>()
  for (const [raceId, read] of own) {
    const moments = new Set(read.map(({ draft }) => momentOf(draft)))
    const others = (stored.get(raceId) ?? []).filter((each) => !moments.has(momentOf(each))).length
    const detail = `${raceId}: ${read.length} odds over time are left out, because others are stored (${others})`
    if (others > 0) mixed.set(raceId, { line: read[0]!.line, detail })
  }
  return mixed
}
