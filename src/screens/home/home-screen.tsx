import { Suspense, useState, type ComponentType } from 'react'
import { FormattedMessage } from 'react-intl'
import { useToken } from '../../data/client/session.ts'
import { useMinute } from '../../data/use-now.ts'
import { useLastRecord, useSchedule, useTips } from '../../data/use-racing.ts'
import { useManifest, useRegionDay } from '../../data/use-region.ts'
import { useIsVip, useSession } from '../../data/use-session.ts'
import { LastResults } from '../../features/home/last-results.tsx'
import { QuickActions } from '../../features/home/quick-actions.tsx'
import { Upcoming } from '../../features/home/upcoming.tsx'
import { RaceGroups } from '../../features/races/race-groups.tsx'
import { ShareDialog } from '../../features/share/share-dialog.tsx'
import { racePath } from '../../data/race-path.ts'
import { useOpenRace } from '../../features/subscription/use-open-race.tsx'
import { TipCards } from '../../features/tips/tip-cards.tsx'
import { lazyOrNothing } from '../../ui/behaviour/lazy-or-nothing.ts'
import { LazyInView } from '../../ui/behaviour/in-view.tsx'
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
  // Otherwise they are asked for when they come into view.
  const last = useLastRecord(away)
  // What stands below the next race and its tips, or the last meetings, is seen once it is known where: it would move.
  const settling = schedule.isPending || (away && last.isLoading)
  return (
    <div className={settling ? `${styles.screen} ${styles.settling}` : styles.screen}>
      {signedIn ? (
        // For members the screen starts with the next race: the heading is only for screen readers.
        <h1 className={texts.hidden}>
          <FormattedMessage id="home.title" />
        </h1>
      ) : (
        <header className={styles.hero}>
          <FormattedMessage id="home.title" tagName="h1" />
          <FormattedMessage id="home.lead" tagName="p" />
        </header>
      )}
      <div className={styles.columns}>
        <Stack>
          <Next onOpen={open} />
          {away ? null : <Tips onOpen={open} />}
        </Stack>
        <Stack className={styles.beside}>
          {signedIn ? (
            <Suspense fallback={null}>
              <HomeMatches />
            </Suspense>
          ) : null}
          <LazyInView height={236}>{() => <LastResults away={away} onOpen={open} />}</LazyInView>
          <Later height={136} part={Figures} />
          <LazyInView height={84}>
            {() => <QuickActions isVip={isVip} onShare={() => setSharing(true)} />}
          </LazyInView>
          <Later height={180} part={Carousel} />
        </Stack>
        {away ? null : (
          <Panel title={<FormattedMessage id="home.schedule" />}>
            <LazyInView height={220}>{() => <Schedule onOpen={open} />}</LazyInView>
          </Panel>
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

/**
 * Height of three races with their heading: reserved, so that the content below does not move when they load.
 */
const UPCOMING_HEIGHT = 215
/** Of the line that says that the races are simulated. */
const SIMULATED_HEIGHT = 28

/** The next race with the time left, and the ones after it. */
function Next({ onOpen }: { onOpen(raceId: string): void }) {
  const now = new Date(useMinute())
  const at = useRegionDay()
  const isSimulated = useManifest().data?.demonstration === true
  const schedule = useSchedule()
  if (schedule.error && !schedule.data)
    return <ErrorNotice error={schedule.error} onRetry={() => void schedule.refetch()} />
  if (schedule.isPending || at === null)
    return <Skeleton height={UPCOMING_HEIGHT + (isSimulated ? SIMULATED_HEIGHT : 0)} />
  return (
    <Upcoming
      races={schedule.data ?? []}
      timeZone={at.timeZone}
      now={now}
      isSimulated={isSimulated}
      onOpen={onOpen}
    />
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
