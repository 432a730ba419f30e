import { FormattedMessage } from 'react-intl'
import type { Competitor } from '../../../contract/api/racing.ts'
import { rankOf } from '../../../domain/horse-hit.ts'

/** Where a horse finished, or in words or its published code why it did not. */
export function Placing({ runner: { ranking, status } }: { runner: Pick<Competitor, 'ranking' | 'status'> }) {
  const rank = rankOf(ranking)
  if (status === 'withdrawn') return <FormattedMessage id="race.withdrawn" />
  if (rank !== null) return <FormattedMessage id="race.place" values={{ rank }} />
  return ranking || (status === 'unfinished' ? <FormattedMessage id="race.unfinished" /> : '–')
}
