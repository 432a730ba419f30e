import { useQuery } from '@tanstack/react-query'
import { clockOfCourse } from '../../../domain/course-clock.ts'
import { FormattedMessage, useIntl } from 'react-intl'
import { apiAddress } from '../../data/client/api-client.ts'
import { queryLockedForecasts, queryRaceLocks, type Lock } from '../../../contract/api/model.ts'
import { useFormat } from '../../i18n/format.ts'
import { ErrorNotice, Notice, Panel } from '../../ui/panel.tsx'
import { Small } from '../../ui/layout.tsx'
import texts from '../../ui/text.module.css'
import styles from './lock.module.css'
import { missingEntry, rememberChain } from './seen-chain.ts'
import { fetchLockChain, useVerification, VerifyButton } from './verification.tsx'
import { countingEntries, verifyRace, type Verdict } from './verify.ts'
import { call, queryFor } from '../../data/client/call.ts'
import { ONE_RACE } from '../../data/use-race.ts'
import { BETWEEN_FACTS } from '../../i18n/between-facts.ts'

interface RaceLocksProps {
  raceId: string
  /** Display name: racecourse, day and number. */
  raceName: string
  date: string
  /** Post time; `null` if unknown. */
  off: string | null
  /** Whether the user has access to the predictions, so that they can be verified. */
  open: boolean
  /** Whether the race has not been run yet. */
  coming: boolean
}

async function verdictOn(raceId: string, off: string | null): Promise<Verdict> {
  const forecasts = await call(queryLockedForecasts, { raceId })
  const { regionId, entries } = await call(queryRaceLocks, { raceId })
  const numbers = entries.map(({ number }) => number)
  const missing = await missingEntry(regionId)
  if (missing !== null) return { kind: 'missing', number: missing }
  const chain = await fetchLockChain(regionId, numbers)
  const verdict = verifyRace(entries, forecasts, chain, off)
  if (verdict.kind === 'holds') rememberChain(regionId, chain)
  return verdict
}

/** The predictions locked before post time, and their verification in the user's own browser. */
export function RaceLocks({ raceId, raceName, date, off, open, coming }: RaceLocksProps) {
  const intl = useIntl()
  const locks = useQuery({ ...ONE_RACE, ...queryFor(queryRaceLocks, { raceId }) })
  const verification = useVerification(async () => {
    const first = await verdictOn(raceId, off)
    // A new prediction between the two requests would look like a change, so a failed check is repeated once.
    return first.kind === 'holds' ? first : verdictOn(raceId, off)
  })
  if (!locks.data) {
    return locks.error ? <ErrorNotice error={locks.error} onRetry={() => void locks.refetch()} /> : null
  }
  const { entries, changed, regionId } = locks.data
  if (entries.length === 0) {
    return (
      <Panel title={<FormattedMessage id="lock.title" />}>
        <p className={texts.soft}>
          <FormattedMessage id={coming ? 'lock.nothingYet' : 'lock.none'} />
        </p>
      </Panel>
    )
  }
  return (
    <Panel
      title={<FormattedMessage id="lock.title" />}
      actions={
        open ? <VerifyButton busy={verification.isPending} onVerify={() => verification.mutate()} /> : null
      }
    >
      <Small text="origin.lockedHint" />
      {changed.map((modelId) => (
        <Notice kind="warn" key={modelId}>
          <FormattedMessage
            id="lock.fails"
            values={{ model: intl.formatMessage({ id: `source.${modelId}` }), race: raceName }}
            tagName="p"
          />
        </Notice>
      ))}
      <Entries entries={entries} raceId={raceId} />
      <div role="status">
        {verification.data ? <VerdictNotice verdict={verification.data} raceName={raceName} /> : null}
      </div>
      {verification.error ? <ErrorNotice error={verification.error} /> : null}
      {open ? null : <Small text="lock.needsRight" />}
      <a href={apiAddress('race/api/queryLocksOfDay', { countryRegionId: regionId, day: date })}>
        <FormattedMessage id="lock.public" />
      </a>
    </Panel>
  )
}

function Entries({ entries, raceId }: { entries: readonly Lock[]; raceId: string }) {
  const intl = useIntl()
  const format = useFormat()
  const counting = countingEntries(entries)
  return (
    <ul className={styles.entries}>
      {entries.map((entry) => (
        <li key={entry.number} className={counting.includes(entry) ? '' : styles.old}>
          <FormattedMessage
            id="lock.entry"
            values={{
              model: intl.formatMessage({ id: `source.${entry.modelId}` }),
              time: format.instantIn(entry.lockedAt, clockOfCourse(raceId)),
              number: format.integer(entry.number),
            }}
          />
          {counting.includes(entry) ? null : (
            <>
              {BETWEEN_FACTS}
              <FormattedMessage id="lock.superseded" />
            </>
          )}
          <code className={styles.hash}>{entry.sha256}</code>
        </li>
      ))}
    </ul>
  )
}

const VERDICT_TEXTS = {
  holds: 'lock.holds',
  fails: 'lock.fails',
  late: 'lock.late',
  chain: 'lock.chainFails',
  missing: 'lock.missing',
} as const

function VerdictNotice({ verdict, raceName }: { verdict: Verdict; raceName: string }) {
  const intl = useIntl()
  const model = verdict.kind === 'fails' ? intl.formatMessage({ id: `source.${verdict.modelId}` }) : ''
  return (
    <Notice kind={verdict.kind === 'holds' ? 'plain' : 'warn'}>
      <p data-verdict={verdict.kind}>
        {intl.formatMessage({ id: VERDICT_TEXTS[verdict.kind] }, { ...verdict, race: raceName, model })}
      </p>
    </Notice>
  )
}
