import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { FormattedMessage } from 'react-intl'
import { Link } from 'react-router-dom'
import { onLiveRows } from '../../data/live-rows.ts'
import { useEngineQuery } from '../../data/use-engine.ts'
import { useFormat } from '../../i18n/format.ts'
import { Panel } from '../../ui/panel.tsx'
import layout from '../../ui/layout.module.css'

/** `yyyy-mm-dd` of a race id (decisions section 1). */
const dateOfRace = (raceId: string): string =>
  `${raceId.slice(5, 9)}-${raceId.slice(9, 11)}-${raceId.slice(11, 13)}`

/** What the socket told since the files behind the figures were built, as the engine has it. */
export function LivePanel() {
  const client = useQueryClient()
  const format = useFormat()
  const news = useEngineQuery('live_races', {})
  useEffect(
    () =>
      onLiveRows(() => {
        // The rows reach the engine by the same telling; requests are answered in turn.
        setTimeout(() => {
          void client.invalidateQueries({
            predicate: ({ queryKey }) => queryKey[0] === 'engine' && queryKey.includes('live_races'),
          })
        }, 0)
      }),
    [client],
  )
  const rows = news.data?.rows ?? []
  if (rows.length === 0) return null
  return (
    <Panel title={<FormattedMessage id="live.title" />}>
      <ul className={layout.list} aria-live="polite">
        {rows.map((row) => (
          <li key={row.race_id} className={layout.spread}>
            <Link to={`/pages/race/HorseRace?id=${row.race_id}`}>
              {format.day(dateOfRace(row.race_id))} ·{' '}
              <FormattedMessage id="record.raceNumber" values={{ number: Number(row.race_id.slice(13)) }} />
            </Link>
            <span>
              {row.result === null ? (
                <FormattedMessage id={row.odds > 0 ? 'live.odds' : 'live.tip'} />
              ) : (
                <FormattedMessage id="live.result" values={{ numbers: row.result }} />
              )}
            </span>
            <span className={layout.small}>
              <FormattedMessage id="live.at" values={{ time: format.clock(row.at) }} />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
