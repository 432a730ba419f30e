import { FileText } from 'lucide-react'
import { lazy, Suspense, useCallback, useEffect, useRef, useState } from 'react'
import type { UseQueryResult } from '@tanstack/react-query'
import { useIntl } from 'react-intl'
import { useLocation, useSearchParams } from 'react-router-dom'
import { outlineOf } from '../../../domain/course-outline.ts'
import { rankOf } from '../../../domain/horse-hit.ts'
import { RACE_TABS, type GameplayClass } from '../../../domain/gameplay.ts'
import { poolsOf } from '../../../domain/pool-rules.ts'
import { inProgramOrder, programNumber } from '../../../domain/program-number.ts'
import type { Competitor, RaceInfo } from '../../../contract/api/racing.ts'
import { loginPath } from '../../data/login-path.ts'
import { useToken } from '../../data/client/session.ts'
import { useIsVip } from '../../data/use-session.ts'
import { RaceLocks } from '../../features/lock/race-locks.tsx'
import { BetTypes } from '../../features/race/bet-types.tsx'
import { Contenders } from '../../features/race/contenders.tsx'
import { LockedPredictions, OpenRace, Predictions, ModelChoice } from '../../features/race/predictions.tsx'
import { TipsLine } from '../../features/race/race-header.tsx'
import { RaceResult } from '../../features/race/race-result.tsx'
import { Racecard } from '../../features/race/racecard.tsx'
import { ThumbBar } from '../../features/race/race-strip.tsx'
import styles from '../../features/race/race.module.css'
import { SubscriptionDialog } from '../../features/subscription/subscription-dialog.tsx'
import type { RaceArrival } from '../../features/subscription/use-open-race.tsx'
import { useSubscribeOnArrival } from '../../features/subscription/use-subscribe-on-arrival.ts'
import { useFormat } from '../../i18n/format.ts'
import { numberedName } from '../../i18n/names.ts'
import { Empty, ErrorNotice, Skeleton } from '../../ui/panel.tsx'
import { Tabbed } from '../../ui/tabbed.tsx'
import { showToast, TOAST_MS } from '../../ui/toast.tsx'
import { LinkButton, Small, Stack } from '../../ui/layout.tsx'
import { Button } from '../../ui/button.tsx'
import { lazyOrNothing } from '../../ui/behaviour/lazy-or-nothing.ts'
import { loadedLater, useLoadedAhead } from '../../ui/behaviour/loaded-later.tsx'
import { useFormAhead } from './form-ahead.ts'
import { LazyInView } from '../../ui/behaviour/lazy-in-view.tsx'
import { useSetParam } from '../../ui/behaviour/use-set-param.ts'
import { useWide } from '../../ui/behaviour/use-wide.ts'
import { BETWEEN_FACTS } from '../../i18n/between-facts.ts'

/** Until a part of the race is loaded. */
const WAITING = <Skeleton height={360} />

const RacePace = loadedLater(() => import('../../features/pace/race-pace.tsx'), WAITING)
const Market = lazy(() => import('../../features/market/market.tsx'))
const CourseSketch = lazyOrNothing(() => import('../../features/race/course-sketch.tsx'))
const CompareRunners = lazyOrNothing(() => import('../../features/head-to-head/compare-runners.tsx'))
const ShareRace = lazyOrNothing(() => import('../../features/race/share-race.tsx'))
const FormMatrix = loadedLater(() => import('./form-matrix.tsx'), WAITING)
const NotesPanel = lazy(() => import('../../features/notes/subject-notes.tsx'))
const ChancesPart = lazy(() => import('../../features/chances/chances-part.tsx'))

const AHEAD = [RacePace, FormMatrix]

/** Sources for which the result is compared with the prediction of each horse. */
const JUDGED = new Set(['pr', 'subscribe'])

/** The parts of a race that are shown one at a time. */
const SECTIONS = ['result', 'card', 'pace', 'form', 'picks', 'market', 'chances', 'notes'] as const
type Section = (typeof SECTIONS)[number]

const RUNNERS_TAB = RACE_TABS.indexOf(null)
const WIN_TAB = RACE_TABS.indexOf(1)

/**
 * The part in the address: by its name, or by the number of its tab, which are the runners and then the bet types. Without
 * one, or with one that the race does not have, a finished race shows its result and another its runners.
 */
function partIn(
  params: URLSearchParams,
  offered: readonly Section[],
  first: Section,
): { section: Section; gameplayClass: GameplayClass } {
  const tab = params.get('tab')
  const bet = tab === null || !/^\d$/.test(tab) ? undefined : RACE_TABS[Number(tab)]
  const named = bet === null ? 'card' : bet === undefined ? SECTIONS.find((each) => each === tab) : 'picks'
  return {
    section: named !== undefined && offered.includes(named) ? named : first,
    gameplayClass: bet ?? 1,
  }
}

/** The number of a bet type's tab in the address. */
const tabOf = (gameplayClass: GameplayClass): number => RACE_TABS.indexOf(gameplayClass)

interface RaceBodyProps {
  race: RaceInfo
  runners: UseQueryResult<Competitor[]>
}

/** The parts below a race's header: result, runners and predictions, market, own chances, notes, locks. */
export default function RaceBody({ race, runners }: RaceBodyProps) {
  const { raceId } = race
  const [params] = useSearchParams()
  const intl = useIntl()
  const format = useFormat()
  const { state, pathname, search } = useLocation()
  const arrival = state as RaceArrival | null
  const isVip = useIsVip()
  const signedIn = useToken() !== null
  const wide = useWide()
  const [confirming, setConfirming] = useState(false)
  // VIPs subscribe too: the races they opened stay unlocked when VIP ends.
  const agreed = params.get('source') !== null && (arrival?.confirmed === true || isVip === true)
  const { busy, subscribe } = useSubscribeOnArrival(raceId, agreed)
  const open = race.isSubscribe === 1
  const onOpen = useCallback(() => setConfirming(true), [])
  useWithdrawalNotice(race.status === 'scheduled' ? runners.data : undefined)
  return (
    <>
      {runners.error && !runners.data ? (
        <ErrorNotice error={runners.error} onRetry={() => void runners.refetch()} />
      ) : runners.data ? (
        <Sections race={race} runners={runners.data} busy={busy} onOpen={onOpen} />
      ) : (
        <Skeleton height={360} />
      )}
      <RaceLocks
        raceId={raceId}
        raceName={[
          race.stadiumName,
          format.day(race.date),
          intl.formatMessage({ id: 'record.raceNumber' }, { number: race.raceNumber }),
        ].join(BETWEEN_FACTS)}
        date={race.date}
        off={race.competitionDate}
        open={open}
        coming={race.status === 'scheduled'}
      />
      {wide ? null : (
        <ThumbBar race={race}>
          {open ? (
            <OpenedRace raceId={raceId} />
          ) : race.models.length === 0 ? (
            <span />
          ) : signedIn ? (
            <Button primary onClick={onOpen} text="subscribe.confirm" />
          ) : (
            <LinkButton to={loginPath(pathname + search)} text="session.signIn" />
          )}
        </ThumbBar>
      )}
      <SubscriptionDialog
        open={confirming}
        race={race}
        onCancel={() => setConfirming(false)}
        onConfirm={() => {
          setConfirming(false)
          subscribe()
        }}
      />
    </>
  )
}

/** At the thumb, for who may see the race: their own chances, and the report. */
function OpenedRace({ raceId }: { raceId: string }) {
  const intl = useIntl()
  const { state, pathname } = useLocation()
  const [params] = useSearchParams()
  const chances = new URLSearchParams(params)
  chances.set('tab', 'chances')
  return (
    <div className={styles.opened}>
      <LinkButton
        quiet
        replace
        state={state}
        to={{ pathname, search: `?${chances}` }}
        aria-current={params.get('tab') === 'chances' ? 'page' : undefined}
        text="race.section.chances"
      />
      <LinkButton
        quiet
        to={`/pages/race/ReportView?id=${raceId}`}
        aria-label={intl.formatMessage({ id: 'race.viewReport' })}
        title={intl.formatMessage({ id: 'race.viewReport' })}
      >
        <FileText aria-hidden="true" size={18} />
      </LinkButton>
    </div>
  )
}

/** Says in a toast which runners of a coming race were withdrawn while the page was open. */
function useWithdrawalNotice(runners: readonly Competitor[] | undefined): void {
  const intl = useIntl()
  const known = useRef<ReadonlySet<string> | null>(null)
  useEffect(() => {
    if (runners === undefined) return
    const withdrawn = runners.filter(({ status }) => status === 'withdrawn')
    const before = known.current
    known.current = new Set(withdrawn.map(({ horseId }) => horseId))
    if (before === null) return
    for (const runner of withdrawn)
      if (!before.has(runner.horseId))
        showToast(
          intl.formatMessage(
            { id: 'race.lateWithdrawal' },
            { number: programNumber(runner) ?? '–', name: runner.name },
          ),
          'plain',
          TOAST_MS.long,
        )
  }, [runners, intl])
}

interface SectionsProps {
  race: RaceInfo
  runners: readonly Competitor[]
  /** Whether the race is being opened. */
  busy: boolean
  /** The user wants to open the race. */
  onOpen(): void
}

/** The parts of a race as tabs that stay in view. */
function Sections({ race, runners, busy, onOpen }: SectionsProps) {
  const intl = useIntl()
  const [params, setParams] = useSearchParams()
  const setParam = useSetParam()
  const arrival = useLocation().state as RaceArrival | null
  const signedIn = useToken() !== null
  const open = race.isSubscribe === 1
  const offered = SECTIONS.filter((section) => {
    if (section === 'result')
      return race.status === 'final' && runners.some(({ ranking }) => rankOf(ranking) !== null)
    if (section === 'pace') return race.status !== 'abandoned'
    if (section === 'market' || section === 'chances') return open
    return section !== 'notes' || signedIn
  })
  useLoadedAhead(AHEAD)
  const askForm = useFormAhead(race, runners)
  // A result that comes while the runners are read does not replace them.
  const [first] = useState<Section>(() => (offered[0] === 'result' ? 'result' : 'card'))
  const { section, gameplayClass } = partIn(params, offered, first)
  const show = (tab: string): void =>
    setParams(
      (before) => {
        before.set('tab', tab)
        return before
      },
      { replace: true, state: arrival },
    )
  const ask = (id: Section): void => {
    if (id === 'form') askForm()
  }
  return (
    <div className={styles.sections}>
      <Tabbed
        label={intl.formatMessage({ id: 'race.tabs' })}
        tabs={offered.map((id) => ({ id, label: intl.formatMessage({ id: `race.section.${id}` }) }))}
        selected={section}
        onPress={ask}
        onSelect={(id) => {
          // A key selects without a press.
          ask(id)
          show(id === 'card' ? String(RUNNERS_TAB) : id === 'picks' ? String(WIN_TAB) : id)
        }}
        look="underlined"
      >
        <Suspense fallback={WAITING}>
          <Part
            race={race}
            runners={runners}
            busy={busy}
            section={section}
            gameplayClass={gameplayClass}
            judged={JUDGED.has(params.get('source') ?? '')}
            about={params.get('horse')}
            onBetType={(chosen) => setParam('tab', String(tabOf(chosen)), arrival)}
            onOpen={onOpen}
          />
        </Suspense>
      </Tabbed>
    </div>
  )
}

interface PartProps extends PicksProps {
  section: Section
  /** Whether to compare the predictions of horses with the result, if they may be seen. */
  judged: boolean
  /** The horse on which a note is to be written. */
  about: string | null
}

/** The part of the race whose tab is selected. */
function Part({ section, judged, about, ...picks }: PartProps) {
  const { race, runners, busy, onOpen } = picks
  switch (section) {
    case 'result':
      return <RaceResult race={race} runners={runners} />
    case 'card':
      return <Card race={race} runners={runners} judged={judged} busy={busy} onOpen={onOpen} />
    case 'pace':
      return <RacePace race={race} runners={runners} />
    case 'form':
      return <FormMatrix race={race} runners={runners} />
    case 'picks':
      return <Picks {...picks} />
    case 'market':
      return <Market race={race} runners={runners} />
    case 'chances':
      return <ChancesPart race={race} runners={runners} />
    case 'notes':
      return (
        <NotesPanel
          regionId={race.countryRegionId}
          subject="race"
          subjectId={race.raceId}
          about={about}
          horses={inProgramOrder(runners).map((runner) => ({
            id: runner.horseId,
            label: numberedName(runner),
          }))}
        />
      )
  }
}

/** Of the course with the field on a phone. */
const SKETCH_HEIGHT = 380

const BUTTON_HEIGHT = 44

/** Of the choice of two runners to compare. */
const COMPARE_HEIGHT = 140

/** The runners, and how to see the model's chances of those of a race that is not open. */
function Card({ race, runners, judged, busy, onOpen }: SectionsProps & Pick<PartProps, 'judged'>) {
  const signedIn = useToken() !== null
  const wide = useWide()
  const open = race.isSubscribe === 1
  return (
    <Stack tight>
      <Racecard
        // Remounted when the result or the chances come, because the order is then another.
        key={`${race.status} ${open && runners.some(({ probability }) => probability !== null)}`}
        race={race}
        runners={runners}
        open={open}
        judged={open && judged}
        {...(open || busy ? {} : { onOpen })}
      />
      {race.models.length === 0 ? (
        <Small text="race.notPredicted" />
      ) : open || busy ? null : (
        <OpenRace raceId={race.raceId} signedIn={signedIn} onOpen={onOpen} />
      )}
      <LazyInView height={BUTTON_HEIGHT}>
        {() => (
          <Suspense fallback={<Skeleton height={BUTTON_HEIGHT} />}>
            <ShareRace race={race} runners={runners} />
          </Suspense>
        )}
      </LazyInView>
      <LazyInView height={COMPARE_HEIGHT}>
        {() => (
          <Suspense fallback={<Skeleton height={COMPARE_HEIGHT} />}>
            <CompareRunners race={race} runners={runners} />
          </Suspense>
        )}
      </LazyInView>
      {/* On a wide screen it is beside the race's header. */}
      {wide && outlineOf(race) !== null ? null : (
        <LazyInView height={SKETCH_HEIGHT}>
          {() => (
            <Suspense fallback={<Skeleton height={SKETCH_HEIGHT} />}>
              <CourseSketch race={race} runners={runners} />
            </Suspense>
          )}
        </LazyInView>
      )}
    </Stack>
  )
}

interface PicksProps extends SectionsProps {
  gameplayClass: GameplayClass
  onBetType(gameplayClass: GameplayClass): void
}

/** The tip and the predictions of one bet type; a race that is not open shows how to open it instead of those. */
function Picks({ race, runners, gameplayClass, busy, onBetType, onOpen }: PicksProps) {
  const wide = useWide()
  const signedIn = useToken() !== null
  const [chosenModel, setChosenModel] = useState<string | null>(null)
  const open = race.isSubscribe === 1
  const model = chosenModel ?? race.headlineModel
  const isOffered = poolsOf({ id: race.countryRegionId }).includes(gameplayClass)
  return (
    <Stack tight>
      {race.tips === null || wide ? null : <TipsLine race={race} runners={runners} />}
      <BetTypes regionId={race.countryRegionId} selected={gameplayClass} onSelect={onBetType}>
        {!isOffered ? (
          <Empty text="race.noSuchPool" />
        ) : race.models.length === 0 ? (
          <Empty text="race.notPredicted" />
        ) : open ? (
          <Stack tight>
            <ModelChoice race={race} model={model} onChange={setChosenModel} />
            {gameplayClass === 1 && model === race.headlineModel ? (
              <Contenders race={race} runners={runners} />
            ) : null}
            <Predictions race={race} runners={runners} gameplayClass={gameplayClass} model={model} />
          </Stack>
        ) : busy ? (
          <Skeleton height={260} />
        ) : (
          <LockedPredictions raceId={race.raceId} signedIn={signedIn} onOpen={onOpen} />
        )}
      </BetTypes>
    </Stack>
  )
}
