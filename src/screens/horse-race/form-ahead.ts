import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Request } from '../../../analytics/request.ts'
import type { Competitor, RaceInfo } from '../../../contract/api/racing.ts'
import { parseRaceId } from '../../../domain/race-id.ts'
import { analyticsQuery } from '../../data/analytics/use-analytics.ts'
import { useReaderScope } from '../../features/dataset/analytics-gate.tsx'
import { loadExtraMessages } from '../../i18n/language.ts'
import { useLanguage } from '../../i18n/language-provider.tsx'
import { useLoadedAhead } from '../../ui/behaviour/loaded-later.tsx'

/** The runners of a race whose form is shown. */
export const declaredOf = (runners: readonly Competitor[]): Competitor[] =>
  runners.filter(({ status }) => status !== 'withdrawn')

/** Requests the keys of a race's runners, their people and its racecourse in the data, by which their form is asked for. */
export function keysRequest({ raceId }: Pick<RaceInfo, 'raceId'>, runners: readonly Competitor[]): Request {
  const ids = declaredOf(runners).flatMap(({ horseId, jockeyId, trainerId }) => [
    horseId,
    jockeyId,
    trainerId,
  ])
  const known = [parseRaceId(raceId).stadium, ...ids].filter((id) => id !== null)
  return { named: { name: 'keys', ids: [...new Set(known)] } }
}

/** Loads the texts of a race's further parts and the keys of its form before they are shown, so that a tap waits for one answer. */
export function useFormAhead(race: RaceInfo, runners: readonly Competitor[]): void {
  const { language } = useLanguage()
  const client = useQueryClient()
  // A page without figures of the record needs no newer ones.
  const { scope } = useReaderScope(false)
  // Runners change with each of their odds; their keys do not.
  const asked = JSON.stringify(keysRequest(race, runners))
  const isAsked = scope?.history === true && scope.regionId === race.countryRegionId
  const ahead = useMemo(() => {
    const texts = { load: () => loadExtraMessages('race', language) }
    if (!isAsked) return [texts]
    const keys = analyticsQuery(scope, JSON.parse(asked) as Request, 'idle')
    return [texts, { load: () => client.prefetchQuery(keys) }]
  }, [language, client, scope, isAsked, asked])
  useLoadedAhead(ahead)
}
