import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { FormattedMessage } from 'react-intl'
import { noteLive, openLive, useLiveState, type LiveMessage } from '../data/live.ts'
import {
  queryMeetingResults,
  queryRace,
  queryRaceCompetitor,
  queryRaceInfo,
  queryRaceMarket,
  queryRacePage,
  queryRacePageDesc,
  queryRacePredictionCache,
  queryRaceSubscribe,
  queryRaceTips,
  type Competitor,
  type RaceInfo,
  type ScheduledRace,
} from '../../contract/api/racing.ts'
import { regionOfStadium } from '../../domain/region.ts'
import { useToken } from '../data/client/session.ts'
import { useSession } from '../data/use-session.ts'
import { useLanguage } from '../i18n/language-provider.tsx'
import { useDelayed } from '../ui/behaviour/use-delayed.ts'
import styles from './frame.module.css'
import { askAgain, keyOf, raceKeys, trackKey } from '../data/client/call.ts'
import { userInfo } from '../../contract/api/account.ts'
import { orderPage, queryOrder, queryOrderMainStatus, vipActivationLog } from '../../contract/api/trade.ts'
import { queryRaceReport } from '../../contract/api/report.ts'
import { queryAccuracyDetail } from '../../contract/api/model.ts'

/** A lost connection is shown only after this time: most are restored at once. */
const PATIENCE_MS = 3000

/** Applies pushed messages to the cached queries and to the engine. */
export function LiveLine() {
  const client = useQueryClient()
  const token = useToken()
  const { data: account } = useSession()
  const { language } = useLanguage()
  const userId = account?.id
  useEffect(() => {
    // The user id is part of the socket's address, so wait until the token's owner is known.
    if (token !== null && userId === undefined) return
    const who = token === null || userId === undefined ? null : { id: userId, token }
    return openLive(who, (message) => {
      noteLive(message)
      void take(client, message)
    })
  }, [client, token, userId, language])
  return null
}

function take(client: QueryClient, message: LiveMessage): Promise<unknown> {
  switch (message.type) {
    case 'resync':
      return client.invalidateQueries()
    case 'order':
      return askAgain(
        client,
        userInfo,
        orderPage,
        queryOrderMainStatus,
        queryOrder,
        queryRaceTips,
        queryRaceInfo,
        vipActivationLog,
      )
    case 'odds': {
      const { data, raceId } = message
      const odds = new Map(data.map((each) => [each.horseNumber, each.odds]))
      client.setQueriesData<Competitor[]>({ queryKey: keyOf(queryRaceCompetitor, { raceId }) }, (runners) =>
        runners?.map((runner) => ({ ...runner, odds: odds.get(runner.horseNumber ?? 0) ?? runner.odds })),
      )
      askTipsSoon(client)
      const calls = [queryRaceMarket, queryRacePredictionCache, queryRaceReport]
      return askAgain(client, ...calls.map((each) => keyOf(each, { raceId })), trackKey(raceId))
    }
    case 'tip': {
      const { data, raceId } = message
      client.setQueriesData<RaceInfo>(
        { queryKey: keyOf(queryRaceInfo, { raceId }) },
        (race) => race && { ...race, tips: data },
      )
      const moved = isMoved(client, raceId, data.time) ? [queryRace] : []
      return askAgain(client, queryRaceTips, ...raceKeys(raceId), ...moved).then(() => askComingSoon(client))
    }
    case 'result':
      return askAgain(
        client,
        ...raceKeys(message.raceId),
        queryRace,
        queryRaceTips,
        queryRacePage,
        queryRacePageDesc,
        queryRaceSubscribe,
        queryMeetingResults,
        queryAccuracyDetail,
        'own-record',
        'cards',
        'manifest',
      ).then(() => askComingSoon(client))
  }
}

/** Whether a cached schedule of the race's region lacks the race, or has it at another time or as not predicted. */
function isMoved(client: QueryClient, raceId: string, time: string | null): boolean {
  const schedules = client.getQueriesData<ScheduledRace[]>({ queryKey: keyOf(queryRace) })
  return schedules.some(([, races = []]) => {
    const known = races.find(({ id }) => id === raceId)
    if (known !== undefined) return known.time !== time || !known.predicted
    return races.some(({ id }) => regionOfStadium(id) === regionOfStadium(raceId))
  })
}

/**
 * Delay before the coming predictions are refetched: the server caches that list for a few seconds, and
 * many tips arrive together.
 */
const COMING_AFTER_MS = 4000
let askingComing: ReturnType<typeof setTimeout> | undefined

function askComingSoon(client: QueryClient): void {
  clearTimeout(askingComing)
  askingComing = setTimeout(() => void askAgain(client, 'coming'), COMING_AFTER_MS)
}

/** Delay before the tips, which have the odds of many races, are refetched once for all odds that arrive meanwhile. */
const TIPS_AFTER_MS = 10_000
let askingTips: ReturnType<typeof setTimeout> | undefined

function askTipsSoon(client: QueryClient): void {
  askingTips ??= setTimeout(() => {
    askingTips = undefined
    void askAgain(client, queryRaceTips)
  }, TIPS_AFTER_MS)
}

/** Shows that live updates are interrupted, and up to when the shown data is current. */
export function LiveNotice() {
  const state = useLiveState()
  const shown = useDelayed(state === 'lost', PATIENCE_MS)
  return (
    <div role="status">
      {shown ? (
        <div className={styles.ribbon}>
          <FormattedMessage id="live.lost" tagName="p" />
        </div>
      ) : null}
    </div>
  )
}
