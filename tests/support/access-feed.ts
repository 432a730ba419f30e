import { FEED_KINDS } from '../../contract/api/feed.ts'
import type { Row, Statuses } from './access-table.ts'

/** The feed accepts only operator tokens: every customer token is refused (`feed.test.ts` covers operators). */
export const feedRows = (nobody: Statuses): Row[] =>
  FEED_KINDS.map((kind) => ({ route: `POST /feed/${kind}`, body: { races: [] }, status: nobody }))
