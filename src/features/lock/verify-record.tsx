import { FormattedMessage, useIntl } from 'react-intl'
import type { RecordFilter } from '../../../contract/queries.ts'
import { parseRaceId } from '../../../domain/race-id.ts'
import { fetchLockChain } from '../../data/model-calls.ts'
import { useEngineQuery, useOpened } from '../../data/use-engine.ts'
import { useFormat } from '../../i18n/format.ts'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { Notice, Panel } from '../../ui/panel.tsx'
import layout from '../../ui/layout.module.css'
import { useCheck, VerifyButton } from './verify-button.tsx'
import { verifyRecord, type RecordVerdict } from './verify.ts'

/** The check of a whole slice of the record against what was locked, from the files that the browser holds. */
export function VerifyRecord({ filter }: { filter: RecordFilter }) {
  const { regionId } = useOpened()
  const locks = useEngineQuery('locks', { filter })
  const [check, verify] = useCheck(async () => {
    const { runQuery } = await import('../../data/engine-client.ts')
    const { signal } = new AbortController()
    const [entries, lines] = await Promise.all([
      runQuery('locks', { filter }, signal),
      runQuery('locked_lines', { filter }, signal),
    ])
    const numbers = entries.rows.map(({ number }) => number)
    const chain = await fetchLockChain(regionId, Math.min(...numbers), Math.max(...numbers))
    return verifyRecord(entries.rows, lines.rows, chain)
  })
  if (!locks.data) return locks.error ? <ErrorNotice error={locks.error} /> : null
  return (
    <Panel
      title={<FormattedMessage id="lock.recordTitle" />}
      actions={locks.data.rows.length > 0 ? <VerifyButton check={check} onVerify={verify} /> : null}
    >
      <p className={layout.small}>
        <FormattedMessage id={locks.data.rows.length > 0 ? 'lock.recordLead' : 'lock.recordNone'} />
      </p>
      <div role="status">{check.kind === 'done' ? <Told verdict={check.verdict} /> : null}</div>
      {check.kind === 'failed' ? <ErrorNotice error={check.error} /> : null}
    </Panel>
  )
}

function Told({ verdict }: { verdict: RecordVerdict }) {
  const intl = useIntl()
  const format = useFormat()
  if (verdict.chainFault !== null) {
    return (
      <Notice kind="warn">
        <p data-verdict="chain">
          <FormattedMessage id="lock.recordChain" values={{ number: verdict.chainFault }} />
        </p>
      </Notice>
    )
  }
  if (verdict.failed.length === 0) {
    return (
      <Notice>
        <p data-verdict="holds">
          <FormattedMessage id="lock.recordHolds" values={{ races: verdict.races, count: verdict.count }} />
        </p>
      </Notice>
    )
  }
  return (
    <Notice kind="warn">
      <p data-verdict="fails">
        <FormattedMessage id="lock.recordFails" values={{ count: verdict.failed.length }} />
      </p>
      <ul>
        {verdict.failed.map(({ raceId, modelId }) => {
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
    </Notice>
  )
}
