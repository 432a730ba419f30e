import { CalendarX } from 'lucide-react'
import { lazy, Suspense, type ComponentProps } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { useSearchParams } from 'react-router-dom'
import { PhoneRegionPicker } from '../../features/region/region-picker.tsx'
import { useOpenRace } from '../../features/subscription/use-open-race.tsx'
import { DayStrip } from '../../features/tips/day-strip.tsx'
import { LastMeeting, TipDay } from '../../features/tips/tip-day.tsx'
import { useTipDay } from '../../features/tips/use-tip-day.ts'
import { useSetParam } from '../../ui/behaviour/use-set-param.ts'
import { Empty, ErrorNotice, Skeleton } from '../../ui/panel.tsx'
import { Small, Stack } from '../../ui/layout.tsx'
import { Tabbed } from '../../ui/tabbed.tsx'
import texts from '../../ui/text.module.css'
import styles from './race-home-screen.module.css'

const MarketBoard = lazy(() => import('../../features/market/market-board.tsx'))

/** The day in the address, `yyyy-mm-dd`. */
const wantedDay = (params: URLSearchParams): string | null =>
  /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/.exec(params.get('day') ?? '')?.[0] ?? null

/** Heights of what is not loaded yet: of the days, and of a meeting of ten races. */
const STRIP_HEIGHT = 68
const DAY_HEIGHT = 560

/** What is shown of a day, by the name in the address. */
const VIEWS = [
  { id: 'tips', text: 'title.raceHome' },
  { id: 'market', text: 'race.section.market' },
] as const

/** The tips and the market of a day of racing: today, the next day with races, or another one that is chosen. */
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
          <OfDay day={day} today={days.today} regionId={days.regionId} races={races} onOpen={open} />
        </>
      )}
      <LastMeeting races={lastRaces} onChange={(to) => setParam('day', to)} />
      {dialog}
    </Stack>
  )
}

/** The tips of a day, or its market. */
function OfDay({ regionId, ...of }: ComponentProps<typeof TipDay> & { regionId: string }) {
  const intl = useIntl()
  const [params] = useSearchParams()
  const setParam = useSetParam()
  const view = params.get('view') === 'market' ? 'market' : 'tips'
  return (
    <Tabbed
      label={intl.formatMessage({ id: 'title.raceHome' })}
      tabs={VIEWS.map(({ id, text }) => ({ id, label: <FormattedMessage id={text} /> }))}
      selected={view}
      onSelect={(to) => setParam('view', to)}
      look="underlined"
    >
      {view === 'market' ? (
        <Suspense fallback={<Skeleton height={DAY_HEIGHT} />}>
          <MarketBoard
            key={of.day}
            regionId={regionId}
            day={of.day}
            races={of.races.map(({ race }) => race)}
          />
        </Suspense>
      ) : (
        <TipDay key={of.day} {...of} />
      )}
    </Tabbed>
  )
}
