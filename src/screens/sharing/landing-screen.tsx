import { FormattedMessage } from 'react-intl'
import { useToken } from '../../data/client/session.ts'
import { useSchedule, useTips } from '../../data/use-racing.ts'
import { useRegionDay } from '../../data/use-region.ts'
import BetweenMeetings from '../../features/home/between-meetings.tsx'
import { Carousel } from '../../features/home/carousel.tsx'
import Figures from '../../features/home/figures.tsx'
import { Meetings } from '../../features/home/meetings.tsx'
import { Proof } from '../../features/home/proof.tsx'
import { Title } from '../../features/home/title.tsx'
import { useOpenRace } from '../../features/subscription/use-open-race.tsx'
import TipCards from '../../features/tips/tip-cards.tsx'
import { ErrorNotice, Panel, Skeleton } from '../../ui/panel.tsx'
import { LinkButton, PageTitle, Stack } from '../../ui/layout.tsx'
import styles from './landing-screen.module.css'

/** Target of shared links: what Furlong is and is worth, today's tips, the last results, and links to register and sign in. */
export function LandingScreen() {
  const signedIn = useToken() !== null
  const schedule = useSchedule()
  const away = schedule.data?.length === 0
  const { open, dialog } = useOpenRace('racehome')
  return (
    <Stack>
      <PageTitle>
        <h1 className={styles.title}>
          <Title />
        </h1>
        <FormattedMessage id="home.lead" tagName="p" />
      </PageTitle>
      <Proof />
      <LinkButton
        to={signedIn ? '/pages/race/racehome' : '/pages/login/fyregister'}
        text={signedIn ? 'pay.toTips' : 'landing.join'}
      />
      <Figures />
      <Carousel />
      {/* Seen once it is known which of them it is: what stands below it would move. */}
      {schedule.isPending ? null : (
        <>
          {away ? <BetweenMeetings /> : <Tips onOpen={open} />}
          <Meetings onOpen={open} />
        </>
      )}
      {dialog}
    </Stack>
  )
}

/** Tips of the next day with races. */
function Tips({ onOpen }: { onOpen(raceId: string): void }) {
  const tips = useTips()
  const [first] = tips.data ?? []
  const today = useRegionDay()?.today
  return (
    <Panel
      title={
        <FormattedMessage id={first !== undefined && first.date !== today ? 'home.nextTips' : 'home.tips'} />
      }
    >
      {tips.error && !tips.data ? (
        <ErrorNotice error={tips.error} onRetry={() => void tips.refetch()} />
      ) : null}
      {tips.isPending ? <Skeleton height={200} /> : null}
      {tips.data?.length === 0 ? <FormattedMessage id="tips.empty" tagName="p" /> : null}
      {first ? (
        <TipCards tips={(tips.data ?? []).filter(({ date }) => date === first.date)} onOpen={onOpen} />
      ) : null}
    </Panel>
  )
}
