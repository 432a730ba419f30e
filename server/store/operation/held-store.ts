import type { Queries } from '../../db/database.ts'

/** A result, or dividends, that wait for an operator to confirm them. */
export interface HeldResult {
  raceId: string
  kind: 'results' | 'dividends'
  reason: string
  detail: string
  /** The race's part of its batch, as JSON. */
  body: string
  source: string
  receivedAt: string
}

const COLUMNS = 'race_id, kind, reason, detail, body, source, received_at'

/** Holds a result or dividends in place of those that the race has of this kind. */
export async function holdResult({ rows }: Queries, held: HeldResult): Promise<void> {
  await rows(
    `insert into held_result (${COLUMNS}) values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (race_id, kind) do update set reason = excluded.reason, detail = excluded.detail,
       body = excluded.body, source = excluded.source, received_at = excluded.received_at`,
    [held.raceId, held.kind, held.reason, held.detail, held.body, held.source, held.receivedAt],
  )
}

/** Everything that is held, oldest first; of one race a result comes before dividends. */
export const listHeld = ({ rows }: Queries, raceId: string | null = null): Promise<HeldResult[]> =>
  rows(
    `select ${COLUMNS} from held_result where $1::text is null or race_id = $1
     order by received_at, race_id, kind desc`,
    [raceId],
  )

/** Forgets what is held of these races; of all kinds unless one is given. Returns how many there were. */
export async function dropHeld(
  { rows }: Queries,
  raceIds: readonly string[],
  kind: HeldResult['kind'] | null = null,
): Promise<number> {
  const gone = await rows(
    `delete from held_result where race_id = any($1::text[]) and ($2::text is null or kind = $2) returning 1`,
    [raceIds, kind],
  )
  return gone.length
}
