import { first, isAny, type Queries } from '../../db/database.ts'
import { newId } from '../../db/id.ts'

/** `last_used_at` is updated at most once a minute, so that most requests do not cause another write. */
const RECORDED_EVERY_MS = 60_000

export interface OperatorToken {
  id: string
  name: string
  scopes: string[]
  createdAt: string
  lastUsedAt: string | null
  revokedAt: string | null
}

export async function insertOperatorToken(
  { rows }: Queries,
  token: { hash: string; name: string; scopes: readonly string[]; now: Date },
): Promise<string> {
  const id = newId()
  await rows(
    `insert into operator_token (id, name, token_hash, scopes, created_at) values ($1::uuid, $2, $3, $4::text[], $5)`,
    [id, token.name, token.hash, token.scopes, token.now],
  )
  return id
}

/** Every token, including revoked ones, newest first. */
export const listOperatorTokens = ({ rows }: Queries): Promise<OperatorToken[]> =>
  rows(
    `select id, name, scopes, created_at, last_used_at, revoked_at
     from operator_token order by created_at desc, id`,
  )

/** Revokes a token. Returns whether there was such an active token. */
export const revokeOperatorToken = (queries: Queries, id: string, now: Date): Promise<boolean> =>
  isAny(
    queries,
    'update operator_token set revoked_at = $2 where id::text = $1 and revoked_at is null returning id',
    [id, now],
  )

/** The token with a hash; `null` if it is unknown or revoked. */
export async function findOperatorToken(
  { rows }: Queries,
  hash: string,
  now: Date,
): Promise<Pick<OperatorToken, 'id' | 'scopes'> | null> {
  const [token] = await rows<Pick<OperatorToken, 'id' | 'scopes' | 'lastUsedAt'>>(
    `select id, scopes, last_used_at from operator_token where token_hash = $1 and revoked_at is null`,
    [hash],
  )
  if (!token) return null
  if (token.lastUsedAt === null || now.getTime() - Date.parse(token.lastUsedAt) > RECORDED_EVERY_MS)
    await rows('update operator_token set last_used_at = $2 where id = $1::uuid', [token.id, now])
  return token
}

export interface StoredBatch {
  source: string
  key: string
  kind: string
  sha256: string
  receivedAt: string
  /** The report as JSON. */
  report: string
}

const BATCH = `source, key, kind, sha256, received_at, report`

export const findBatch = (queries: Queries, source: string, key: string): Promise<StoredBatch | null> =>
  first(queries, `select ${BATCH} from feed_batch where source = $1 and key = $2`, [source, key])

export async function insertBatch({ rows }: Queries, batch: StoredBatch): Promise<void> {
  await rows(
    `insert into feed_batch (source, key, kind, sha256, received_at, report) values ($1, $2, $3, $4, $5, $6)`,
    [batch.source, batch.key, batch.kind, batch.sha256, batch.receivedAt, batch.report],
  )
}

/** The newest batches, newest first. */
export const listBatches = ({ rows }: Queries, limit: number): Promise<StoredBatch[]> =>
  rows(`select ${BATCH} from feed_batch order by received_at desc, key limit $1`, [limit])

export async function sweepBatches({ rows }: Queries, before: Date): Promise<void> {
  await rows('delete from feed_batch where received_at < $1', [before])
}
