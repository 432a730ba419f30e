import { FEED_KINDS } from '../../contract/api/feed.ts'
import { makeOperatorToken } from '../../server/services/viewer.ts'
import type { Queries } from '../../server/db/database.ts'

/** Creates an operator token, with all scopes or only some. */
export const newOperatorToken = async (
  database: Queries,
  scopes: readonly string[] = FEED_KINDS,
): Promise<string> => (await makeOperatorToken(database, 'test', scopes, new Date())).token
