import { useQueryClient } from '@tanstack/react-query'
import { clockOfCourse } from '../../domain/course-clock.ts'
import { useEffect } from 'react'
import { FormattedMessage } from 'react-intl'
import { Link } from 'react-router-dom'
import { numberOf, textOf, textOrNull } from '../../analytics/cells.ts'
import { useEngineState } from '../data/analytics/engine-state.ts'
import { ANALYTICS_KEY, useAnalytics, useScope } from '../data/analytics/use-analytics.ts'
import { onLiveRows } from '../data/live.ts'
import { useFormat } from '../i18n/format.ts'
import { LinkButton, List, Row, Small } from '../ui/layout.tsx'
import { Notice, Panel } from '../ui/panel.tsx'
import { BETWEEN_FACTS } from '../i18n/between-facts.ts'

/** Notices that concern the whole page; `closed`: a filter is on columns of a file that is not open. */
export function Notices({ closed }: { closed: boolean }) {
  const engine = useEngineState()
  const { history } = useScope()
  return (
    <>
      {engine.kind === 'ready' && engine.opened.offline ? <Warning text="record.offline" /> : null}
      {closed ? <Warning text="workspace.ownClosed" /> : null}
      {history ? null : (
        <Notice>
          <FormattedMessage id="record.visitor" tagName="p" />
          <LinkButton to="/pages/race/viplist" text="record.upsell" />
        </Notice>
      )}
      <LiveRaces ready={engine.kind === 'ready'} />
    </>
  )
}

const Warning = ({ text }: { text: string }) => (
  <Notice kind="warn">
    <FormattedMessage id={text} tagName="p" />
  </Notice>
)

/** `yyyy-mm-dd` of a race id (decisions section 1). */
const dateOfRace = (raceId: string): string =>
  `${raceId.slice(5, 9)}-${raceId.slice(9, 11)}-${raceId.slice(11, 13)}`

/**
 * Updates from the socket since the files behind the figures were built, as stored in the engine. Only the engine on this
 * device has the live tables, once it is ready; the server has none.
 */
function LiveRaces({ ready }: { ready: boolean }) {
  const client = useQueryClient()
  const format = useFormat()
  const news = useAnalytics({ named: { name: 'live_races' } }, { priority: 'idle', enabled: ready })
  useEffect(
    () =>
      onLiveRows(() => {
        // The engine receives the rows through the same notification; deferring the query puts it
        // behind them in the queue.
        setTimeout(() => {
          void client.invalidateQueries({
            predicate: ({ queryKey }) =>
              queryKey[0] === ANALYTICS_KEY && JSON.stringify(queryKey.at(-1)).includes('live_races'),
          })
        }, 0)
      }),
    [client],
  )
  const rows = news.data?.rows ?? []
  if (rows.length === 0) return null
  return (
    <Panel title={<FormattedMessage id="live.title" />}>
      <List aria-live="polite">
        {rows.map((row) => {
          const raceId = textOf(row, 'race_id')
          const result = textOrNull(row, 'result')
          return (
            <Row key={raceId} as="li" spread>
              <Link to={`/pages/race/HorseRace?id=${raceId}`}>
                {format.day(dateOfRace(raceId))}
                {BETWEEN_FACTS}
                <FormattedMessage id="record.raceNumber" values={{ number: Number(raceId.slice(13)) }} />
              </Link>
              <span>
                {result === null ? (
                  <FormattedMessage id={numberOf(row, 'odds') > 0 ? 'live.odds' : 'live.tip'} />
                ) : (
                  <FormattedMessage id="live.result" values={{ numbers: result }} />
                )}
              </span>
              <Small as="span">
                <FormattedMessage
                  id="live.at"
                  values={{ time: format.clockIn(textOf(row, 'at'), clockOfCourse(raceId)) }}
                />
              </Small>
            </Row>
          )
        })}
      </List>
    </Panel>
  )
}
