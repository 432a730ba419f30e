import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Request } from '../../../analytics/request.ts'
import type { Competitor, RaceInfo } from '../../../contract/api/racing.ts'
import { parseRaceId } from '../../../domain/race-id.ts'
import { analyticsQuery } from '../../data/analytics/use-analytics.ts'
import { useReaderScope } from '../../features/dataset/analytics-gate.tsx'
import { useModelsOf } from '../../features/results/use-results.ts'
import { loadExtraMessages } from '../../i18n/language.ts'
import { useLanguage } from '../../i18n/language-provider.tsx'
import { useLoadedAhead } from '../../ui/behaviour/loaded-later.tsx'
import { conditionsOf, FORM_KINDS, formOf, formRequest, withKeys } from './form-request.ts'

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

/**
 * Loads the texts of a race's further parts and the keys of its form before they are shown. Returns what asks for the form
 * itself, as the matrix does first: a finger on its tab does so before the page draws that tab.
 */
export function useFormAhead(race: RaceInfo, runners: readonly Competitor[]): () => void {
  const { language } = useLanguage()
  const client = useQueryClient()
  // A page without figures of the record needs no newer ones.
  const { scope } = useReaderScope(false)
  const [model] = useModelsOf(race.countryRegionId)
  // Runners change with each of their odds; their keys do not.
  const asked = JSON.stringify(keysRequest(race, runners))
  const isAsked = scope?.history === true && scope.regionId === race.countryRegionId
  const keys = useMemo(
    () => (isAsked ? analyticsQuery(scope, JSON.parse(asked) as Request, 'idle') : null),
    [scope, isAsked, asked],
  )
  const ahead = useMemo(() => {
    const texts = { load: () => loadExtraMessages('race', language) }
    return keys === null ? [texts] : [texts, { load: () => client.prefetchQuery(keys) }]
  }, [language, client, keys])
  useLoadedAhead(ahead)
  return () => {
    // Keys that are not there yet are asked for by the matrix.
    const known = keys === null ? undefined : client.getQueryData(keys.queryKey)
    if (!isAsked || model === undefined || known === undefined) return
    const declared = declaredOf(runners)
    const of = formOf(race, declared, model, known.rows)
    const form = withKeys(declared, known.rows)
    const request = formRequest(FORM_KINDS[0], conditionsOf(FORM_KINDS[0], of, form), of, form)
    if (request !== null) void client.prefetchQuery(analyticsQuery(scope, request))
  }
}
