import { useQueryClient } from '@tanstack/react-query'
import { FormattedMessage, useIntl } from 'react-intl'
import type { Filter } from '../../../analytics/filter.ts'
import { lockFilter } from '../../../analytics/named.ts'
import type { Request } from '../../../analytics/request.ts'
import type { ModelId } from '../../../contract/model-ids.ts'
import { parseRaceId } from '../../../domain/race-id.ts'
import { numberOf } from '../../../analytics/cells.ts'
import { analyticsQuery, useAnalytics, useScope } from '../../data/analytics/use-analytics.ts'
import { useFormat } from '../../i18n/format.ts'
import { ErrorNotice, Notice, Panel } from '../../ui/panel.tsx'
import { HelpLink } from '../../ui/help-link.tsx'
import { Small } from '../../ui/layout.tsx'
import { missingEntry, rememberChain } from './seen-chain.ts'
import { fetchLockChain, useVerification, VerifyButton } from './verification.tsx'
import { verifyRecord, type RecordVerdict } from './verify.ts'
import { BETWEEN_FACTS } from '../../i18n/between-facts.ts'

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
    const missing = await missingEntry(scope.regionId)
    const chain = await fetchLockChain(scope.regionId, numbers)
    const verdict = verifyRecord(entries.rows, lines.rows, chain, missing)
    if (kindOf(verdict) === 'holds') rememberChain(scope.regionId, chain)
    return verdict
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
      {locks.data.rows.length > 0 ? <Small text="lock.recordLead" /> : <NothingLocked />}
      <div role="status">{verification.data ? <VerdictNotice verdict={verification.data} /> : null}</div>
      {verification.error ? <ErrorNotice error={verification.error} /> : null}
    </Panel>
  )
}

/** What locking is, and why a slice may have nothing of it. */
const NothingLocked = () => (
  <>
    <FormattedMessage id="lock.recordNone" tagName="strong" />
    <FormattedMessage id="lock.what" tagName="p" />
    <FormattedMessage id="lock.whyNone" tagName="p" />
    <HelpLink topic="record" text="workspace.help" />
  </>
)

const VERDICT_TEXTS = {
  chain: 'lock.recordChain',
  holds: 'lock.recordHolds',
  fails: 'lock.recordFails',
  missing: 'lock.missing',
} as const

const kindOf = ({ chainFault, missing, failed }: RecordVerdict): keyof typeof VERDICT_TEXTS => {
  if (missing !== null) return 'missing'
  if (chainFault !== null) return 'chain'
  return failed.length > 0 ? 'fails' : 'holds'
}

function VerdictNotice({ verdict }: { verdict: RecordVerdict }) {
  const { chainFault, missing, failed, races, count } = verdict
  const intl = useIntl()
  const format = useFormat()
  const kind = kindOf(verdict)
  return (
    <Notice kind={kind === 'holds' ? 'plain' : 'warn'}>
      <p data-verdict={kind}>
        <FormattedMessage
          id={VERDICT_TEXTS[kind]}
          values={{ number: missing ?? chainFault, races, count: kind === 'fails' ? failed.length : count }}
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
                  ].join(BETWEEN_FACTS)}
                </a>
              </li>
            )
          })}
        </ul>
      ) : null}
    </Notice>
  )
}
