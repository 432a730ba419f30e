import { CalendarX } from 'lucide-react'
import { FormattedMessage } from 'react-intl'
import { useSearchParams } from 'react-router-dom'
import { PhoneRegionPicker } from '../../features/region/region-picker.tsx'
import { useOpenRace } from '../../features/subscription/use-open-race.tsx'
import { DayStrip } from '../../features/tips/day-strip.tsx'
import { LastMeeting, TipDay } from '../../features/tips/tip-day.tsx'
import { useTipDay } from '../../features/tips/use-tip-day.ts'
import { useSetParam } from '../../ui/behaviour/use-set-param.ts'
import { Empty, ErrorNotice, Skeleton } from '../../ui/panel.tsx'
import { Small, Stack } from '../../ui/layout.tsx'
import texts from '../../ui/text.module.css'
import styles from './race-home-screen.module.css'

/** The day in the address, `yyyy-mm-dd`. */
const wantedDay = (params: URLSearchParams): string | null =>
  /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/.exec(params.get('day') ?? '')?.[0] ?? null

/** Heights of what is not loaded yet: of the days, and of a meeting of ten races. */
const STRIP_HEIGHT = 68
const DAY_HEIGHT = 560

/** The tips of a day of racing: today, the next day with races, or another one that is chosen. */
export function RaceHomeScreen() {
  const [params] = useSearchParams()
  const setParam = useSetParam()
  const { days, races, lastRaces, isPending, error, refetch } = useTipDay(wantedDay(params))
  const { open, dialog } = useOpenRace('racehome')
  const day = days?.day ?? null
  return (
    <Stack>
      <header className={styles.bar}>
        <FormattedMessage id="title.raceHome" tagName="h1" />
        <PhoneRegionPicker />
      </header>
      <p className={texts.soft}>
        <FormattedMessage id="tips.lead" />
      </p>
      {error && races.length === 0 ? <ErrorNotice error={error} onRetry={refetch} /> : null}
      {days ? (
        <DayStrip today={days.today} raceDays={days.all} value={day} onChange={(to) => setParam('day', to)} />
      ) : isPending ? (
        <Skeleton height={STRIP_HEIGHT} />
      ) : null}
      {isPending ? (
        <Skeleton height={DAY_HEIGHT} />
      ) : days === null || (error && races.length === 0) ? null : day === null || races.length === 0 ? (
        <Empty icon={CalendarX} text="tips.empty" />
      ) : (
        <>
          {days.all.some((each) => each >= days.today) ? null : <Small text="tips.noFixtures" />}
          <TipDay key={day} day={day} today={days.today} races={races} onOpen={open} />
        </>
      )}
      <LastMeeting races={lastRaces} onChange={(to) => setParam('day', to)} />
      {dialog}
    </Stack>
  )
}
