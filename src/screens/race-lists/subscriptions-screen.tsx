import { LockKeyholeOpen } from 'lucide-react'
import { useState } from 'react'
import { useIntl } from 'react-intl'
import { queryRaceSubscribe } from '../../../contract/api/racing.ts'
import { useToken } from '../../data/client/session.ts'
import { usePages } from '../../data/use-pages.ts'
import { useRegionDay } from '../../data/use-region.ts'
import { RaceGroups } from '../../features/races/race-groups.tsx'
import { racePath } from '../../data/race-path.ts'
import { useOpenRace } from '../../features/subscription/use-open-race.tsx'
import { PhoneRegionPicker } from '../../features/region/region-picker.tsx'
import { useFormat } from '../../i18n/format.ts'
import { DateButton } from '../../ui/fields/date-field.tsx'
import { Empty, ErrorNotice, Skeleton } from '../../ui/panel.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { LinkButton, PageTitle, Row, Stack } from '../../ui/layout.tsx'

/**
 * Races that the user subscribed to, newest first, page by page: they stay unlocked. Selecting
 * another day restarts the list.
 */
export function SubscriptionsScreen() {
  const at = useRegionDay()
  const { locale } = useIntl()
  const format = useFormat()
  const token = useToken()
  const [chosen, setChosen] = useState<string | null>(null)
  const { open, dialog } = useOpenRace('subscribe')
  const day = chosen ?? at?.today ?? null
  const pages = usePages(
    queryRaceSubscribe,
    at && { countryRegionId: at.regionId, today: chosen ?? at.today },
    locale,
    token,
  )
  return (
    <Stack>
      <Row as="header" spread>
        <PageTitle as="div" title="title.subscriptions" lead="races.subscribedLead" />
        <Row>
          <PhoneRegionPicker />
          {day === null ? null : <DateButton value={day} text={format.day(day)} onChange={setChosen} />}
        </Row>
      </Row>
      {pages.error ? <ErrorNotice error={pages.error} onRetry={pages.retry} /> : null}
      {pages.isPending ? <Skeleton height={360} /> : null}
      {pages.isEmpty ? (
        <Empty
          icon={LockKeyholeOpen}
          action={<LinkButton to="/pages/race/racehome" text="pay.toTips" />}
          text="races.noneSubscribed"
        />
      ) : null}
      {at !== null && pages.rows.length > 0 ? (
        <>
          <RaceGroups
            races={pages.rows}
            hrefOf={({ id }) => racePath(id, 'subscribe')}
            onOpen={({ id }) => open(id)}
          />
          <LoadMore {...pages} />
        </>
      ) : null}
      {dialog}
    </Stack>
  )
}
