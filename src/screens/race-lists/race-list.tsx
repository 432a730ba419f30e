import { useState } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import type { ScheduledRace } from '../../data/racing-calls.ts'
import { useToken } from '../../data/session.ts'
import { usePages } from '../../data/use-pages.ts'
import { useRegionDay } from '../../data/use-region.ts'
import { RaceGroups } from '../../features/races/race-groups.tsx'
import { racePath, useOpenRace } from '../../features/subscription/use-open-race.tsx'
import { RegionPicker } from '../../features/region/region-picker.tsx'
import { useFormat } from '../../i18n/format.ts'
import { DateButton } from '../../ui/date-button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { More } from '../../ui/more.tsx'
import { Skeleton } from '../../ui/panel.tsx'
import layout from '../../ui/layout.module.css'
import { keyOf } from '../../data/keys.ts'

interface RaceListProps {
  source: 'pr' | 'subscribe'
  title: string
  lead: string
  empty: string
  fetchPage(
    query: { countryRegionId: string; today: string; pageNo: number },
    signal: AbortSignal,
  ): Promise<ScheduledRace[]>
}

/** Races up to a day, newest first, page by page; another day or region begins anew at page 1. */
export function RaceList({ source, title, lead, empty, fetchPage }: RaceListProps) {
  const at = useRegionDay()
  const { locale } = useIntl()
  const format = useFormat()
  const token = useToken()
  const [chosen, setChosen] = useState<string | null>(null)
  const { open, dialog } = useOpenRace(source)
  const day = chosen ?? at?.today ?? null
  const pages = usePages(
    keyOf('races', source, at?.regionId, day, locale, source === 'subscribe' ? token : null),
    (pageNo, signal) => fetchPage({ countryRegionId: at!.regionId, today: day!, pageNo }, signal),
    at !== null,
  )
  return (
    <div className={layout.stack}>
      <header className={layout.spread}>
        <div className={layout.title}>
          <h1>
            <FormattedMessage id={title} />
          </h1>
          <p>
            <FormattedMessage id={lead} />
          </p>
        </div>
        <div className={layout.toolbar}>
          <RegionPicker told={false} />
          {day === null ? null : <DateButton value={day} text={format.day(day)} onChange={setChosen} />}
        </div>
      </header>
      {pages.error ? <ErrorNotice error={pages.error} onRetry={pages.retry} /> : null}
      {pages.isPending ? <Skeleton height={360} /> : null}
      {!pages.isPending && !pages.error && pages.rows.length === 0 ? (
        <Empty>
          <FormattedMessage id={empty} />
        </Empty>
      ) : null}
      {at !== null && pages.rows.length > 0 ? (
        <>
          <RaceGroups
            races={pages.rows}
            timeZone={at.timeZone}
            hrefOf={({ id }) => racePath(id, source)}
            onOpen={({ id }) => open(id)}
          />
          <More hasMore={pages.hasMore} loading={pages.loading} onMore={pages.more} />
        </>
      ) : null}
      {dialog}
    </div>
  )
}
