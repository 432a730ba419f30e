import { Suspense, useState, type ComponentType } from 'react'
import { FormattedMessage } from 'react-intl'
import { useToken } from '../../data/client/session.ts'
import { useMinute } from '../../data/use-now.ts'
import { useMeetings, useProof, useSchedule, useTips } from '../../data/use-racing.ts'
import type { ScheduledRace, Tip } from '../../../contract/api/racing.ts'
import { useManifest, useRegionDay } from '../../data/use-region.ts'
import { useIsVip, useSession } from '../../data/use-session.ts'
import { Meetings } from '../../features/home/meetings.tsx'
import { Proof } from '../../features/home/proof.tsx'
import { QuickActions } from '../../features/home/quick-actions.tsx'
import { RaceDay } from '../../features/home/race-day.tsx'
import { Title } from '../../features/home/title.tsx'
import { Upcoming } from '../../features/home/upcoming.tsx'
import { RaceGroups } from '../../features/races/race-groups.tsx'
import { ShareDialog } from '../../features/share/share-dialog.tsx'
import { racePath } from '../../data/race-path.ts'
import { useOpenRace } from '../../features/subscription/use-open-race.tsx'
import { lazyOrNothing } from '../../ui/behaviour/lazy-or-nothing.ts'
import { LazyInView } from '../../ui/behaviour/lazy-in-view.tsx'
import { useWide } from '../../ui/behaviour/use-wide.ts'
import { ErrorNotice, Panel, Skeleton } from '../../ui/panel.tsx'
import { Stack, TextLink } from '../../ui/layout.tsx'
import styles from './home-screen.module.css'

// Below the fold.
const Carousel = lazyOrNothing(async () => ({
  default: (await import('../../features/home/carousel.tsx')).Carousel,
}))
const Figures = lazyOrNothing(() => import('../../features/home/figures.tsx'))
const LiveFeed = lazyOrNothing(() => import('../../features/home/live-feed.tsx'))
const TipCards = lazyOrNothing(() => import('../../features/tips/tip-cards.tsx'))
const HorseStrip = lazyOrNothing(() => import('../../features/home/horse-strip.tsx'))
// Most users have no saved view, and the code that finds matches is large.
const HomeMatches = lazyOrNothing(() => import('../../workspace/saved/home-matches.tsx'))

/** A part in a separate chunk, which is loaded when the part is close to the window. */
const Later = ({ height, part: Part }: { height: number; part: ComponentType }) => (
  <LazyInView height={height}>
    {() => (
      <Suspense fallback={<Skeleton height={height} />}>
        <Part />
      </Suspense>
    )}
  </LazyInView>
)

const Horses = () => (
  <Panel title={<FormattedMessage id="home.horses" />}>
    <Later height={180} part={HorseStrip} />
  </Panel>
)

/** What the site is. Members know it: for them it is one small line, and the screen starts with the races. */
const Hero = ({ signedIn }: { signedIn: boolean }) => (
  <header className={signedIn ? styles.line : styles.hero}>
    <h1>
      <Title />
    </h1>
    {signedIn ? null : <FormattedMessage id="home.lead" tagName="p" />}
  </header>
)

/** The home screen: an overview from the API and the manifest only, without the engine. */
export function HomeScreen() {
  const [sharing, setSharing] = useState(false)
  const signedIn = useToken() !== null
  const twoColumns = useWide(TWO_COLUMNS)
  const { data: account } = useSession()
  const { open, dialog } = useOpenRace('home')
  // Between meetings, empty parts are omitted; the next race day and the last meetings are shown instead.
  const schedule = useSchedule()
  const away = schedule.data?.length === 0
  const meetings = useMeetings()
  // Where there are no figures, its panel is lower.
  const proofFigures = useProof()
  // What stands below the next race and the last meetings is seen once it is known where: it would move.
  const settling = schedule.isPending || meetings.isLoading || proofFigures.isPending
  const proof = (
    <div className={styles.proof}>
      <Proof />
    </div>
  )
  return (
    <div className={settling ? `${styles.screen} ${styles.settling}` : styles.screen}>
      <div className={signedIn ? styles.columns : `${styles.columns} ${styles.visitor}`}>
        <Hero signedIn={signedIn} />
        {signedIn ? null : proof}
        <Stack className={styles.main}>
          <Races onOpen={open} />
        </Stack>
        {signedIn ? proof : null}
        <Beside away={away} signedIn={signedIn} onOpen={open} onShare={() => setSharing(true)} />
        {away ? null : <Plan twoColumns={twoColumns} onOpen={open} />}
      </div>
      {twoColumns ? null : <Horses />}
      {dialog}
      <ShareDialog
        open={sharing}
        sharerId={signedIn ? (account?.id ?? null) : null}
        onClose={() => setSharing(false)}
      />
    </div>
  )
}

interface PlanProps {
  twoColumns: boolean
  onOpen(raceId: string): void
}

/** The predictions and, in one column, the races of the coming days. */
const Plan = ({ twoColumns, onOpen }: PlanProps) => (
  <Stack className={styles.plan}>
    <Tips onOpen={onOpen} />
    {twoColumns ? null : <Coming onOpen={onOpen} />}
  </Stack>
)

const Coming = ({ onOpen }: Pick<PlanProps, 'onOpen'>) => (
  <Panel title={<FormattedMessage id="home.schedule" />}>
    <LazyInView height={220}>{() => <Schedule onOpen={onOpen} />}</LazyInView>
  </Panel>
)

interface BesideProps {
  /** Between meetings. */
  away: boolean
  signedIn: boolean
  onOpen(raceId: string): void
  onShare(): void
}

/** What stands beside the races in two columns, so that neither has a hole; in one column, what stands below them. */
function Beside({ away, signedIn, onOpen, onShare }: BesideProps) {
  const isVip = useIsVip() === true
  const twoColumns = useWide(TWO_COLUMNS)
  return (
    <Stack className={styles.beside}>
      <RaceDayFeed onOpen={onOpen} />
      {signedIn ? (
        <Suspense fallback={null}>
          <HomeMatches />
        </Suspense>
      ) : null}
      <Later height={136} part={Figures} />
      <LazyInView height={84}>{() => <QuickActions isVip={isVip} onShare={onShare} />}</LazyInView>
      <Later height={72} part={Carousel} />
      {twoColumns && !away ? <Coming onOpen={onOpen} /> : null}
      {twoColumns ? <Horses /> : null}
    </Stack>
  )
}

/** Of the next race with its runners: reserved, so that the content below does not move when they load. */
const UPCOMING_HEIGHT = { wide: 450, phone: 360 } as const

/** On a race day its meetings, the next race and the results so far; otherwise the last meeting and the next race. */
function Races({ onOpen }: { onOpen(raceId: string): void }) {
  const now = new Date(useMinute())
  const at = useRegionDay()
  const wide = useWide()
  const beside = useWide(TWO_COLUMNS)
  const isSimulated = useManifest().data?.demonstration === true
  const schedule = useSchedule()
  if (schedule.error && !schedule.data)
    return <ErrorNotice error={schedule.error} onRetry={() => void schedule.refetch()} />
  if (schedule.isPending || at === null)
    return <Skeleton height={wide ? UPCOMING_HEIGHT.wide : UPCOMING_HEIGHT.phone} />
  const today = schedule.data.filter(({ date }) => date === at.today)
  const upcoming = (
    <Upcoming
      race={nextOf(schedule.data, now)}
      today={at.today}
      now={now}
      isSimulated={isSimulated}
      onOpen={onOpen}
    />
  )
  return today.length === 0 ? (
    <>
      <Meetings course onOpen={onOpen} />
      {upcoming}
    </>
  ) : (
    <>
      <RaceDay races={today} now={now} onOpen={onOpen} />
      {upcoming}
      <Meetings except={beside ? at.today : null} onOpen={onOpen} />
    </>
  )
}

/** The first race that has not started. */
function nextOf(races: readonly ScheduledRace[], now: Date): ScheduledRace | null {
  const [first] = races
    .filter(({ competitionDate }) => competitionDate !== null && new Date(competitionDate) > now)
    .toSorted((a, b) => a.competitionDate!.localeCompare(b.competitionDate!))
  return first ?? null
}

/** Width from which the screen has two columns, as in its style sheet. */
const TWO_COLUMNS = 1000
/** Of what happens on a race day: its heading and its sum, and each result, in pixels. */
const FEED_HEIGHT = 110
const FEED_ROW = 37

/** What happens on a race day, where there is a second column; elsewhere the results are below the next race. */
function RaceDayFeed({ onOpen }: { onOpen(raceId: string): void }) {
  const now = new Date(useMinute())
  const beside = useWide(TWO_COLUMNS)
  const at = useRegionDay()
  const races = useSchedule().data ?? []
  const results = (useMeetings().data ?? []).flatMap((meeting) =>
    meeting.date === at?.today ? meeting.races : [],
  )
  if (!beside || at === null || races.every(({ date }) => date !== at.today)) return null
  const height = FEED_HEIGHT + results.length * FEED_ROW
  const waiting = <Skeleton height={height} />
  return (
    // As high as it is at least, so that nothing below moves when it is loaded.
    <div style={{ minHeight: height }}>
      <Suspense fallback={waiting}>
        <LiveFeed today={at.today} next={nextOf(races, now)} waiting={waiting} onOpen={onOpen} />
      </Suspense>
    </div>
  )
}

/** The races that the screen shows besides the schedule: today's, the next one, and those of the next day with tips. */
function useShownRaces(): ReadonlySet<string> {
  const now = new Date(useMinute())
  const at = useRegionDay()
  const races = useSchedule().data ?? []
  const next = nextOf(races, now)
  return new Set([
    ...races.flatMap(({ id, date }) => (date === at?.today ? [id] : [])),
    ...(next ? [next.id] : []),
    ...tipsBeside(next, useTips().data ?? []).map(({ raceId }) => raceId),
  ])
}

/** The tips of the first day that has some besides that of the next race, which is shown with its runners. */
function tipsBeside(next: ScheduledRace | null, tips: readonly Tip[]): Tip[] {
  const others = tips.filter(({ raceId }) => raceId !== next?.id)
  return others.filter(({ date }) => date === others[0]!.date)
}

/** Of the tips before they are known. */
const TIPS_HEIGHT = 420

/** Tips of the next day with races. */
function Tips({ onOpen }: { onOpen(raceId: string): void }) {
  const now = new Date(useMinute())
  const at = useRegionDay()
  const tips = useTips()
  const ofDay = tipsBeside(nextOf(useSchedule().data ?? [], now), tips.data ?? [])
  const [first] = ofDay
  return (
    <Panel
      title={<FormattedMessage id={first && at && first.date !== at.today ? 'home.nextTips' : 'home.tips'} />}
      actions={<TextLink to="/pages/race/racehome" text="common.viewAll" />}
    >
      {tips.error && !tips.data ? (
        <ErrorNotice error={tips.error} onRetry={() => void tips.refetch()} />
      ) : null}
      {tips.isPending ? <Skeleton height={TIPS_HEIGHT} /> : null}
      {tips.data && !first ? <FormattedMessage id="tips.empty" tagName="p" /> : null}
      {first ? (
        <Suspense fallback={<Skeleton height={TIPS_HEIGHT} />}>
          <TipCards tips={ofDay} onOpen={onOpen} />
        </Suspense>
      ) : null}
    </Panel>
  )
}

function Schedule({ onOpen }: { onOpen(raceId: string): void }) {
  const at = useRegionDay()
  const schedule = useSchedule()
  const shown = useShownRaces()
  if (schedule.error && !schedule.data)
    return <ErrorNotice error={schedule.error} onRetry={() => void schedule.refetch()} />
  if (!schedule.data || at === null) return <Skeleton height={220} />
  const races = schedule.data.filter(({ id }) => !shown.has(id))
  if (races.length === 0) return <FormattedMessage id="home.noSchedule" tagName="p" />
  return (
    <RaceGroups races={races} hrefOf={({ id }) => racePath(id, 'schedule')} onOpen={({ id }) => onOpen(id)} />
  )
}
