import { FEED_KINDS } from '../../contract/api/feed.ts'
import type { Row, Statuses } from './access-table.ts'

/** The feed is for operators' tokens alone: a customer's is none, whoever he is (`feed.test.ts` has theirs). */
export const feedRows = (nobody: Statuses): Row[] =>
  FEED_KINDS.map((kind) => ({ route: `POST /feed/${kind}`, body: { races: [] }, status: nobody }))
