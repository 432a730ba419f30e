import { useState } from 'react'
import { FormattedMessage } from 'react-intl'
import type { Tip } from '../../../contract/api/racing.ts'
import { useSchedule, useTips } from '../../data/use-racing.ts'
import { useRegionDay } from '../../data/use-region.ts'
import { useToken } from '../../data/client/session.ts'
import { useIsVip, useSession } from '../../data/use-session.ts'
import { RaceGroups } from '../../features/races/race-groups.tsx'
import { racePath, useOpenRace } from '../../features/subscription/use-open-race.tsx'
import { DayTable, TipCards } from '../../features/tips/tip-cards.tsx'
import { PhoneRegionPicker } from '../../features/region/region-picker.tsx'
import { OneOf } from '../../ui/fields/choices.tsx'
import { Empty, ErrorNotice, Panel, Skeleton } from '../../ui/panel.tsx'
import { Stack } from '../../ui/layout.tsx'
import texts from '../../ui/text.module.css'
import styles from './race-home-screen.module.css'

const Glance = ({ tips }: { tips: readonly Tip[] }) => (
  <DayTable tips={tips} hrefOf={(raceId) => racePath(raceId, 'racehome')} />
)

/** Tips for the coming days, and their races. */
export function RaceHomeScreen() {
  const tips = useTips()
  const schedule = useSchedule()
  const { open, dialog } = useOpenRace('racehome')
  const token = useToken()
  const session = useSession()
  // VIPs have other parts, which would move what is shown before it is known.
  const waiting = tips.isPending || (token !== null && session.isPending)
  const nothing = tips.data?.length === 0 && schedule.data?.length === 0
  return (
    <Stack>
      <header className={styles.bar}>
        <FormattedMessage id="title.raceHome" tagName="h1" />
        <PhoneRegionPicker />
      </header>
      <p className={texts.soft}>
        <FormattedMessage id="tips.lead" />
      </p>
      {tips.error && !tips.data ? (
        <ErrorNotice error={tips.error} onRetry={() => void tips.refetch()} />
      ) : null}
      {waiting ? <Skeleton height={360} /> : null}
      {waiting ? null : nothing ? <Empty text="tips.empty" /> : <Tips tips={tips.data ?? []} onOpen={open} />}
      {schedule.error && !schedule.data ? (
        <ErrorNotice error={schedule.error} onRetry={() => void schedule.refetch()} />
      ) : null}
      {/* Below the tips, whose height is known only when they have come. */}
      {waiting ? null : <Coming onOpen={open} />}
      {dialog}
    </Stack>
  )
}

/** The coming races by meeting; nothing while none is known. */
function Coming({ onOpen }: { onOpen(raceId: string): void }) {
  const at = useRegionDay()
  const { data: races = [] } = useSchedule()
  if (at === null || races.length === 0) return null
  return (
    <Panel title={<FormattedMessage id="home.schedule" />}>
      <RaceGroups
        races={races}
        timeZone={at.timeZone}
        hrefOf={({ id }) => racePath(id, 'racehome')}
        onOpen={({ id }) => onOpen(id)}
      />
    </Panel>
  )
}

/** The tips as cards, or for VIPs as a table of each day. */
function Tips({ tips, onOpen }: { tips: readonly Tip[]; onOpen(raceId: string): void }) {
  const isVip = useIsVip() === true
  const [view, setView] = useState<'table' | 'cards'>('table')
  return (
    <>
      {isVip && tips.length > 0 ? (
        <OneOf
          legend={<FormattedMessage id="tips.view" />}
          value={view}
          choices={[
            { value: 'table', label: <FormattedMessage id="tips.glance" /> },
            { value: 'cards', label: <FormattedMessage id="tips.cards" /> },
          ]}
          onChange={(value) => setView(value === 'cards' ? 'cards' : 'table')}
        />
      ) : null}
      <TipCards
        tips={tips}
        heading="h2"
        table={isVip && view === 'table' ? Glance : undefined}
        onOpen={onOpen}
      />
    </>
  )
}
