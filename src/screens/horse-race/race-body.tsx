import { lazy, Suspense, useState } from 'react'
import type { UseQueryResult } from '@tanstack/react-query'
import { FormattedMessage, useIntl } from 'react-intl'
import { useLocation, useSearchParams } from 'react-router-dom'
import { RACE_TABS, type GameplayClass } from '../../../domain/gameplay.ts'
import type { Competitor, RaceInfo } from '../../../contract/api/racing.ts'
import { useToken } from '../../data/client/session.ts'
import { zoneOfRace } from '../../data/use-race.ts'
import { useIsVip } from '../../data/use-session.ts'
import { RaceLocks } from '../../features/lock/race-locks.tsx'
import { LockedPredictions, OpenRace, Predictions, ModelChoice } from '../../features/race/predictions.tsx'
import { RaceResult } from '../../features/race/race-result.tsx'
import { Racecard } from '../../features/race/racecard.tsx'
import {
  SubscriptionDialog,
  type RaceArrival,
  useSubscribeOnArrival,
} from '../../features/subscription/use-open-race.tsx'
import { useFormat } from '../../i18n/format.ts'
import { ErrorNotice, Skeleton } from '../../ui/panel.tsx'
import { Tabbed } from '../../ui/tabbed.tsx'
import { Stack } from '../../ui/layout.tsx'

const Market = lazy(() => import('../../features/market/market.tsx'))
const NotesPanel = lazy(() => import('../../features/notes/subject-notes.tsx'))
const OwnChances = lazy(() => import('../../features/chances/own-chances.tsx'))

/** Sources for which the result is compared with the prediction of each horse. */
const JUDGED = new Set(['pr', 'subscribe'])

/** The tab in the address, and its bet type; the first one, of the runners, if there is none, or no such tab. */
function tabIn(params: URLSearchParams): { tab: number; gameplayClass: GameplayClass | null } {
  const tab = Number(params.get('tab') ?? 0)
  const gameplayClass = RACE_TABS[tab]
  return gameplayClass === undefined ? { tab: 0, gameplayClass: null } : { tab, gameplayClass }
}

interface RaceBodyProps {
  race: RaceInfo
  runners: UseQueryResult<Competitor[]>
}

/** The parts below a race's header: result, runners and predictions, market, own chances, notes, locks. */
export default function RaceBody({ race, runners }: RaceBodyProps) {
  const { raceId } = race
  const [params, setParams] = useSearchParams()
  const intl = useIntl()
  const format = useFormat()
  const source = params.get('source')
  const arrival = useLocation().state as RaceArrival | null
  const isVip = useIsVip()
  const signedIn = useToken() !== null
  const [chosenModel, setChosenModel] = useState<string | null>(null)
  const [confirming, setConfirming] = useState(false)
  // VIPs subscribe too: the races they opened stay unlocked when VIP ends.
  const agreed = source !== null && (arrival?.confirmed === true || isVip === true)
  const { busy, subscribe } = useSubscribeOnArrival(raceId, agreed)
  const open = race.isSubscribe === 1
  const { tab, gameplayClass } = tabIn(params)
  return (
    <>
      {race.status === 'final' && runners.data ? <RaceResult race={race} runners={runners.data} /> : null}
      {runners.error && !runners.data ? (
        <ErrorNotice error={runners.error} onRetry={() => void runners.refetch()} />
      ) : runners.data ? (
        <Tabbed
          label={intl.formatMessage({ id: 'race.tabs' })}
          tabs={RACE_TABS.map((each, index) => ({
            id: String(index),
            label: intl.formatMessage({ id: each === null ? 'race.runners' : `gameplay.${each}` }),
          }))}
          selected={String(tab)}
          onSelect={(next) =>
            setParams(
              (before) => {
                before.set('tab', next)
                return before
              },
              { replace: true, state: arrival },
            )
          }
          look="pills"
        >
          <TabContent
            key={tab}
            race={race}
            runners={runners.data}
            gameplayClass={gameplayClass}
            judged={JUDGED.has(source ?? '')}
            model={chosenModel ?? race.headlineModel}
            busy={busy}
            onModel={setChosenModel}
            onOpen={() => setConfirming(true)}
          />
        </Tabbed>
      ) : (
        <Skeleton height={360} />
      )}
      {open && runners.data ? (
        <Suspense fallback={<Skeleton height={320} />}>
          <Market race={race} runners={runners.data} />
          <OwnChances race={race} runners={runners.data} />
        </Suspense>
      ) : null}
      {signedIn && runners.data ? (
        <Suspense fallback={<Skeleton height={120} />}>
          <NotesPanel
            regionId={race.countryRegionId}
            subject="race"
            subjectId={raceId}
            horses={runners.data.map(({ horseId, horseNumber, name }) => ({
              id: horseId,
              label: [horseNumber, name].filter((part) => part !== null).join(' '),
            }))}
          />
        </Suspense>
      ) : null}
      <RaceLocks
        raceId={raceId}
        raceName={[
          race.stadiumName,
          format.day(race.date),
          intl.formatMessage({ id: 'record.raceNumber' }, { number: race.raceNumber }),
        ].join(' · ')}
        date={race.date}
        off={race.competitionDate}
        open={open}
        coming={race.status === 'scheduled'}
      />
      <SubscriptionDialog
        open={confirming}
        title={<FormattedMessage id="subscribe.title" />}
        onCancel={() => setConfirming(false)}
        onConfirm={() => {
          setConfirming(false)
          subscribe()
        }}
      />
    </>
  )
}

interface TabContentProps {
  race: RaceInfo
  runners: readonly Competitor[]
  /** The bet type of the tab; `null` for the runners. */
  gameplayClass: GameplayClass | null
  /** Whether to compare the predictions of horses with the result, if they may be seen. */
  judged: boolean
  /** The model whose predictions are shown. */
  model: string
  /** Whether the race is being opened. */
  busy: boolean
  onModel(model: string): void
  /** The user wants to open the race. */
  onOpen(): void
}

/** The runners or a bet type's predictions; a race that is not open shows how to open it instead of those. */
function TabContent({ race, runners, gameplayClass, judged, model, busy, onModel, onOpen }: TabContentProps) {
  const signedIn = useToken() !== null
  const open = race.isSubscribe === 1
  if (gameplayClass === null)
    return (
      <Stack tight>
        <Racecard
          // Remounted when the result or the chances come, because the order is then another.
          key={`${race.status} ${open && runners.some(({ probability }) => probability !== null)}`}
          race={race}
          runners={runners}
          open={open}
          judged={open && judged}
        />
        {open || busy ? null : <OpenRace signedIn={signedIn} onOpen={onOpen} />}
      </Stack>
    )
  if (!open)
    return busy ? <Skeleton height={260} /> : <LockedPredictions signedIn={signedIn} onOpen={onOpen} />
  return (
    <Stack>
      <ModelChoice race={race} model={model} onChange={onModel} />
      <Predictions
        race={race}
        runners={runners}
        gameplayClass={gameplayClass}
        model={model}
        timeZone={zoneOfRace(race)}
      />
    </Stack>
  )
}
