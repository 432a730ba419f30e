import { lazy, Suspense, useState, type ReactNode } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { useLocation, useSearchParams } from 'react-router-dom'
import { RACE_TABS, type GameplayClass } from '../../../domain/gameplay.ts'
import { useToken } from '../../data/session.ts'
import { useCompetitors, useRace, zoneOfRace } from '../../data/use-race.ts'
import { useIsVip } from '../../data/use-session.ts'
import { RaceLocks } from '../../features/lock/race-locks.tsx'
import { LockedPredictions, OpenRace } from '../../features/race/locked-predictions.tsx'
import { ModelChoice } from '../../features/race/model-choice.tsx'
import { Predictions } from '../../features/race/predictions.tsx'
import { RaceHeader } from '../../features/race/race-header.tsx'
import { RaceResult } from '../../features/race/race-result.tsx'
import { RaceTabs } from '../../features/race/race-tabs.tsx'
import { Racecard } from '../../features/race/racecard.tsx'
import { SubscriptionDialog } from '../../features/subscription/subscription-dialog.tsx'
import type { RaceArrival } from '../../features/subscription/use-open-race.tsx'
import { useSubscribeOnArrival } from '../../features/subscription/use-subscribe-on-arrival.ts'
import { RaceAddress } from '../../features/session/race-address.tsx'
import { useFormat } from '../../i18n/format.ts'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { Skeleton } from '../../ui/panel.tsx'
import layout from '../../ui/layout.module.css'

const Market = lazy(() => import('../../features/market/market.tsx'))
const NotesPanel = lazy(() => import('../../features/notes/notes-panel.tsx'))
const OwnChances = lazy(() => import('../../features/chances/own-chances.tsx'))

/** Origins from which the result is held against what was predicted of each horse. */
const JUDGED = new Set(['pr', 'subscribe'])

export function HorseRaceScreen() {
  return <RaceAddress visitors>{(raceId) => <Race key={raceId} raceId={raceId} />}</RaceAddress>
}

function Race({ raceId }: { raceId: string }) {
  const [params, setParams] = useSearchParams()
  const intl = useIntl()
  const format = useFormat()
  const source = params.get('source')
  const tab = Number(params.get('tab') ?? 0)
  const arrival = useLocation().state as RaceArrival | null
  const race = useRace(raceId)
  const runners = useCompetitors(raceId)
  const isVip = useIsVip()
  const signedIn = useToken() !== null
  const [asking, setAsking] = useState(false)
  const [chosenModel, setChosenModel] = useState<string | null>(null)
  // VIPs subscribe as well: what they opened stays open to them when VIP ends.
  const agreed = source !== null && (arrival?.confirmed === true || isVip === true)
  const { busy, subscribe } = useSubscribeOnArrival(raceId, agreed)
  if (race.error && !race.data) return <ErrorNotice error={race.error} onRetry={() => void race.refetch()} />
  if (!race.data) return <Skeleton height={420} />
  const timeZone = zoneOfRace(race.data)
  const open = race.data.isSubscribe === 1
  const model = chosenModel ?? race.data.headlineModel
  const panelOf = (gameplayClass: GameplayClass | null): ReactNode =>
    gameplayClass === null ? (
      <div className={layout.tight}>
        <Racecard
          // An official result has an order of its own.
          key={race.data.status}
          race={race.data}
          runners={runners.data ?? []}
          open={open}
          judged={open && JUDGED.has(source ?? '')}
        />
        {open || busy ? null : <OpenRace signedIn={signedIn} onOpen={() => setAsking(true)} />}
      </div>
    ) : open ? (
      <div className={layout.stack}>
        <ModelChoice race={race.data} model={model} onChange={setChosenModel} />
        <Predictions
          race={race.data}
          runners={runners.data ?? []}
          gameplayClass={gameplayClass}
          model={model}
          timeZone={timeZone}
        />
      </div>
    ) : busy ? (
      <Skeleton height={260} />
    ) : (
      <LockedPredictions signedIn={signedIn} onOpen={() => setAsking(true)} />
    )
  return (
    <div className={layout.stack}>
      <RaceHeader race={race.data} runners={runners.data ?? []} timeZone={timeZone} />
      {race.data.status === 'final' && runners.data ? (
        <RaceResult race={race.data} runners={runners.data} />
      ) : null}
      {runners.error && !runners.data ? (
        <ErrorNotice error={runners.error} onRetry={() => void runners.refetch()} />
      ) : runners.data ? (
        <RaceTabs
          tab={Number.isInteger(tab) && tab >= 0 && tab < RACE_TABS.length ? tab : 0}
          onTab={(next) =>
            setParams(
              (before) => {
                before.set('tab', String(next))
                return before
              },
              { replace: true, state: arrival },
            )
          }
          content={panelOf}
        />
      ) : (
        <Skeleton height={360} />
      )}
      {open && runners.data ? (
        <Suspense fallback={<Skeleton height={320} />}>
          <Market race={race.data} runners={runners.data} />
          <OwnChances race={race.data} runners={runners.data} />
        </Suspense>
      ) : null}
      {signedIn && runners.data ? (
        <Suspense fallback={<Skeleton height={120} />}>
          <NotesPanel
            regionId={race.data.countryRegionId}
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
          race.data.stadiumName,
          format.day(race.data.date),
          intl.formatMessage({ id: 'record.raceNumber' }, { number: race.data.raceNumber }),
        ].join(' · ')}
        date={race.data.date}
        off={race.data.competitionDate}
        open={open}
        coming={race.data.status === 'scheduled'}
      />
      <SubscriptionDialog
        open={asking}
        title={<FormattedMessage id="subscribe.title" />}
        onCancel={() => setAsking(false)}
        onConfirm={() => {
          setAsking(false)
          subscribe()
        }}
      />
    </div>
  )
}
