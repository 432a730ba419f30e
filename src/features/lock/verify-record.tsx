import { useQueryClient } from '@tanstack/react-query'
import { FormattedMessage, useIntl } from 'react-intl'
import type { Filter } from '../../../analytics/filter.ts'
import { lockFilter } from '../../../analytics/named.ts'
import type { Request } from '../../../analytics/request.ts'
import type { ModelId } from '../../../contract/model-ids.ts'
import { parseRaceId } from '../../../domain/race-id.ts'
import { numberOf } from '../../data/analytics/cells.ts'
import { analyticsQuery, useAnalytics, useScope } from '../../data/analytics/use-analytics.ts'
import { useFormat } from '../../i18n/format.ts'
import { ErrorNotice, Notice, Panel } from '../../ui/panel.tsx'
import { Small } from '../../ui/layout.tsx'
import { fetchLockChain, useVerification, VerifyButton } from './verification.tsx'
import { verifyRecord, type RecordVerdict } from './verify.ts'

/** Verifies a whole slice of the record against its locks, from the files in the browser. */
export function VerifyRecord({ where, model }: { where: Filter; model: ModelId }) {
  const scope = useScope()
  const client = useQueryClient()
  const named = (name: 'locks' | 'locked_lines'): Request => ({
    named: { name, model, where: lockFilter(where) },
  })
  const locks = useAnalytics(named('locks'), { priority: 'idle' })
  const verification = useVerification(async () => {
    const [entries, lines] = await Promise.all([
      client.fetchQuery(analyticsQuery(scope, named('locks'), 'visible')),
      client.fetchQuery(analyticsQuery(scope, named('locked_lines'), 'visible')),
    ])
    const numbers = entries.rows.map((lock) => numberOf(lock, 'number'))
    const chain = await fetchLockChain(scope.regionId, numbers)
    return verifyRecord(entries.rows, lines.rows, chain)
  })
  if (!locks.data) return locks.error ? <ErrorNotice error={locks.error} /> : null
  return (
    <Panel
      title={<FormattedMessage id="lock.recordTitle" />}
      actions={
        locks.data.rows.length > 0 ? (
          <VerifyButton busy={verification.isPending} onVerify={() => verification.mutate()} />
        ) : null
      }
    >
      <Small text={locks.data.rows.length > 0 ? 'lock.recordLead' : 'lock.recordNone'} />
      <div role="status">{verification.data ? <VerdictNotice verdict={verification.data} /> : null}</div>
      {verification.error ? <ErrorNotice error={verification.error} /> : null}
    </Panel>
  )
}

const VERDICT_TEXTS = {
  chain: 'lock.recordChain',
  holds: 'lock.recordHolds',
  fails: 'lock.recordFails',
} as const

function VerdictNotice({ verdict: { chainFault, failed, races, count } }: { verdict: RecordVerdict }) {
  const intl = useIntl()
  const format = useFormat()
  const kind = chainFault !== null ? 'chain' : failed.length > 0 ? 'fails' : 'holds'
  return (
    <Notice kind={kind === 'holds' ? 'plain' : 'warn'}>
      <p data-verdict={kind}>
        <FormattedMessage
          id={VERDICT_TEXTS[kind]}
          values={{ number: chainFault, races, count: kind === 'fails' ? failed.length : count }}
        />
      </p>
      {kind === 'fails' ? (
        <ul>
          {failed.map(({ raceId, modelId }) => {
            const { date, raceNo } = parseRaceId(raceId)
            return (
              <li key={`${raceId} ${modelId}`}>
                <a href={`#/pages/race/HorseRace?id=${raceId}`}>
                  {[
                    raceId,
                    format.day(date),
                    intl.formatMessage({ id: 'record.raceNumber' }, { number: raceNo }),
                    intl.formatMessage({ id: `source.${modelId}` }),
                  ].join(' · ')}
                </a>
              </li>
            )
          })}
        </ul>
      ) : null}
    </Notice>
  )
}
