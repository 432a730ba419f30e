import { Suspense, useState, type ComponentType } from 'react'
import { FormattedMessage } from 'react-intl'
import { useToken } from '../../data/client/session.ts'
import { useMinute } from '../../data/use-now.ts'
import { useMeetings, useSchedule, useTips } from '../../data/use-racing.ts'
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
import { TipCards } from '../../features/tips/tip-cards.tsx'
import { lazyOrNothing } from '../../ui/behaviour/lazy-or-nothing.ts'
import { LazyInView } from '../../ui/behaviour/in-view.tsx'
import { useWide } from '../../ui/behaviour/use-wide.ts'
import { ErrorNotice, Panel, Skeleton } from '../../ui/panel.tsx'
import { Stack, TextLink } from '../../ui/layout.tsx'
import texts from '../../ui/text.module.css'
import styles from './home-screen.module.css'

// Below the fold.
const Carousel = lazyOrNothing(async () => ({
  default: (await import('../../features/home/carousel.tsx')).Carousel,
}))
const Figures = lazyOrNothing(() => import('../../features/home/figures.tsx'))
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

/** The home screen: an overview from the API and the manifest only, without the engine. */
export function HomeScreen() {
  const [sharing, setSharing] = useState(false)
  const signedIn = useToken() !== null
  const isVip = useIsVip() === true
  const { data: account } = useSession()
  const { open, dialog } = useOpenRace('home')
  // Between meetings, empty parts are omitted; the next race day and the last meetings are shown instead.
  const schedule = useSchedule()
  const away = schedule.data?.length === 0
  const meetings = useMeetings()
  // What stands below the next race and the last meetings is seen once it is known where: it would move.
  const settling = schedule.isPending || meetings.isLoading
  const proof = (
    <div className={styles.proof}>
      <Proof />
    </div>
  )
  return (
    <div className={settling ? `${styles.screen} ${styles.settling}` : styles.screen}>
      <div className={signedIn ? styles.columns : `${styles.columns} ${styles.visitor}`}>
        {/* Members know it: for them the screen starts with the races, and the heading is for screen readers. */}
        <header className={signedIn ? texts.hidden : styles.hero}>
          <h1>
            <Title />
          </h1>
          {signedIn ? null : <FormattedMessage id="home.lead" tagName="p" />}
        </header>
        {signedIn ? null : proof}
        <Stack className={styles.main}>
          <Races onOpen={open} />
        </Stack>
        {signedIn ? proof : null}
        <Stack className={styles.beside}>
          {signedIn ? (
            <Suspense fallback={null}>
              <HomeMatches />
            </Suspense>
          ) : null}
          <Later height={136} part={Figures} />
          <LazyInView height={84}>
            {() => <QuickActions isVip={isVip} onShare={() => setSharing(true)} />}
          </LazyInView>
          <Later height={180} part={Carousel} />
        </Stack>
        {away ? null : (
          <Stack className={styles.plan}>
            <Tips onOpen={open} />
            <Panel title={<FormattedMessage id="home.schedule" />}>
              <LazyInView height={220}>{() => <Schedule onOpen={open} />}</LazyInView>
            </Panel>
          </Stack>
        )}
      </div>
      <Panel title={<FormattedMessage id="home.horses" />}>
        <Later height={180} part={HorseStrip} />
      </Panel>
      {dialog}
      <ShareDialog
        open={sharing}
        sharerId={signedIn ? (account?.id ?? null) : null}
        onClose={() => setSharing(false)}
      />
    </div>
  )
}

/** Of the next race with its runners: reserved, so that the content below does not move when they load. */
const UPCOMING_HEIGHT = { wide: 450, phone: 360 } as const

/** On a race day its meetings, the next race and the results so far; otherwise the last meeting and the next race. */
function Races({ onOpen }: { onOpen(raceId: string): void }) {
  const now = new Date(useMinute())
  const at = useRegionDay()
  const wide = useWide()
  const isSimulated = useManifest().data?.demonstration === true
  const schedule = useSchedule()
  if (schedule.error && !schedule.data)
    return <ErrorNotice error={schedule.error} onRetry={() => void schedule.refetch()} />
  if (schedule.isPending || at === null)
    return <Skeleton height={wide ? UPCOMING_HEIGHT.wide : UPCOMING_HEIGHT.phone} />
  const today = schedule.data.filter(({ date }) => date === at.today)
  const upcoming = (
    <Upcoming
      races={schedule.data}
      timeZone={at.timeZone}
      today={at.today}
      now={now}
      isSimulated={isSimulated}
      onOpen={onOpen}
    />
  )
  const meetings = <Meetings onOpen={onOpen} />
  return today.length === 0 ? (
    <>
      {meetings}
      {upcoming}
    </>
  ) : (
    <>
      <RaceDay races={today} now={now} onOpen={onOpen} />
      {upcoming}
      {meetings}
    </>
  )
}

/** Tips of the next day with races. */
function Tips({ onOpen }: { onOpen(raceId: string): void }) {
  const at = useRegionDay()
  const tips = useTips()
  const [first] = tips.data ?? []
  const ofDay = (tips.data ?? []).filter(({ date }) => date === first?.date)
  return (
    <Panel
      title={<FormattedMessage id={first && at && first.date !== at.today ? 'home.nextTips' : 'home.tips'} />}
      actions={<TextLink to="/pages/race/racehome" text="common.viewAll" />}
    >
      {tips.error && !tips.data ? (
        <ErrorNotice error={tips.error} onRetry={() => void tips.refetch()} />
      ) : null}
      {tips.isPending ? <Skeleton height={420} /> : null}
      {tips.data?.length === 0 ? <FormattedMessage id="tips.empty" tagName="p" /> : null}
      {ofDay.length > 0 ? <TipCards tips={ofDay} onOpen={onOpen} /> : null}
    </Panel>
  )
}

function Schedule({ onOpen }: { onOpen(raceId: string): void }) {
  const at = useRegionDay()
  const schedule = useSchedule()
  if (schedule.error && !schedule.data)
    return <ErrorNotice error={schedule.error} onRetry={() => void schedule.refetch()} />
  if (!schedule.data || at === null) return <Skeleton height={220} />
  if (schedule.data.length === 0) return <FormattedMessage id="home.noSchedule" tagName="p" />
  return (
    <RaceGroups
      races={schedule.data}
      timeZone={at.timeZone}
      hrefOf={({ id }) => racePath(id, 'schedule')}
      onOpen={({ id }) => onOpen(id)}
    />
  )
}
