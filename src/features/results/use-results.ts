import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { allOf } from '../../../analytics/filter.ts'
import { queryDaySilks, queryNumberedByName } from '../../../contract/api/racing.ts'
import type { ModelId } from '../../../contract/model-ids.ts'
import { groupBy } from '../../../domain/group-by.ts'
import { NAME_COLUMNS, type Language } from '../../../domain/languages.ts'
import { raceIdDate } from '../../../domain/race-id.ts'
import { regionOfStadium } from '../../../domain/region.ts'
import { numberOf, numberOrNull, textOf, type AnswerRow } from '../../../analytics/cells.ts'
import { useAnalytics, useScope } from '../../data/analytics/use-analytics.ts'
import { queryFor } from '../../data/client/call.ts'
import { ONE_RACE } from '../../data/use-race.ts'
import { useManifest, useModelOrder } from '../../data/use-region.ts'
import { useLanguage } from '../../i18n/language-provider.tsx'
import { localName, type LocalName } from '../../i18n/names.ts'

/** More than the number of starters in a month in any region. */
const MAX_STARTERS = 5000
const SHOWN_PLACES = 4
const NAMES = NAME_COLUMNS.map((column) => `horses_${column}`)

/** The prediction of a race and its outcome. */
export interface Pick {
  /** Saddle numbers of the four most probable horses, in descending order. */
  horses: number[]
  /** The first of them; `null` without a name. */
  name: LocalName | null
  origin: string
  outcome: string
  /** Profit of the win pick at a flat stake, in cents; `null` if unknown. */
  profit: number | null
}

/** Last day of a month, `yyyy-mm-dd`. */
function lastDayOf(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10)
}

/** The models in the files of the screen's region, the preferred one first. */
export const useModels = (): readonly ModelId[] => useModelsOf(useScope().regionId)

/** The models in a region's files, the preferred one first. */
export function useModelsOf(regionId: string): readonly ModelId[] {
  const { data } = useManifest()
  const order = useModelOrder(regionId)
  return useMemo(() => {
    const files = data?.files.filter((file) => file.regionId === regionId) ?? []
    return order.filter((id) => files.some(({ model }) => model === id))
  }, [data, order, regionId])
}

/** Races of a month that were run, newest day first. */
export function useResults(month: string | null) {
  const days = { from: `${month}-01`, to: lastDayOf(month ?? '2000-01') }
  return useAnalytics({ named: { name: 'results', ...days } }, { enabled: month !== null })
}

/** The silks of the runners of a race's day by race and number, as far as they are known; asked for while `enabled`. */
export function useDaySilks(
  raceId: string,
  enabled: boolean,
): ReadonlyMap<string, ReadonlyMap<number, string>> {
  const countryRegionId = regionOfStadium(raceId)?.id
  const { data } = useQuery({
    ...ONE_RACE,
    ...queryFor(
      queryDaySilks,
      enabled && countryRegionId ? { countryRegionId, today: raceIdDate(raceId) } : null,
    ),
  })
  return useMemo(
    () =>
      new Map(
        [...groupBy(data ?? [], (each) => each.raceId)].map(([id, runners]) => [
          id,
          new Map(runners.map(({ horseNumber, silks }) => [horseNumber, silks])),
        ]),
      ),
    [data],
  )
}

/** The races of a race's day whose numbers are no saddle numbers. */
export function useNumberedByName(raceId: string): ReadonlySet<string> | undefined {
  const countryRegionId = regionOfStadium(raceId)?.id
  const { data } = useQuery({
    ...ONE_RACE,
    ...queryFor(queryNumberedByName, countryRegionId ? { countryRegionId, today: raceIdDate(raceId) } : null),
  })
  return useMemo(() => data && new Set(data), [data])
}

/** Picks of a month by race that the user may see; `null` while they are loading. */
export function usePicks(
  month: string | null,
  model: ModelId | undefined,
): { picks: ReadonlyMap<string, Pick> | null; error: Error | null } {
  const where = allOf(
    { dim: 'model', in: [model ?? ''] },
    { dim: 'day', from: `${month}-01`, to: lastDayOf(month ?? '2000-01') },
  )!
  const { language } = useLanguage()
  const enabled = month !== null && model !== undefined
  const rows = { sort: [], offset: 0, limit: MAX_STARTERS }
  const wins = useAnalytics(
    {
      rows: {
        ...rows,
        model: 'predictions',
        columns: ['race_id', 'origin', 'outcome', 'profit_cents', ...NAMES],
        where: allOf(where, { dim: 'bet_type', in: [1] }, { dim: 'prediction_type', in: [1] }),
      },
    },
    { enabled },
  )
  const starters = useAnalytics(
    {
      rows: {
        ...rows,
        model: 'runners',
        columns: ['race_id', 'horse_no', 'model_rank'],
        where,
        sort: [{ by: 'model_rank', descending: false }],
      },
    },
    { enabled },
  )
  const pending = wins.isPlaceholderData || starters.isPlaceholderData
  const picks = useMemo(() => {
    if (!wins.data || !starters.data || pending) return null
    const byRace = groupBy(starters.data.rows, (row) => textOf(row, 'race_id'))
    return new Map(wins.data.rows.map((row) => [textOf(row, 'race_id'), pickOf(row, byRace, language)]))
  }, [wins.data, starters.data, pending, language])
  return { picks, error: wins.error ?? starters.error }
}

const pickOf = (
  row: AnswerRow,
  starters: ReadonlyMap<string, readonly AnswerRow[]>,
  language: Language,
): Pick => ({
  name: localName(language, row, 'horses'),
  horses: (starters.get(textOf(row, 'race_id')) ?? [])
    .slice(0, SHOWN_PLACES)
    .map((starter) => numberOf(starter, 'horse_no')),
  origin: textOf(row, 'origin'),
  outcome: textOf(row, 'outcome'),
  profit: numberOrNull(row, 'profit_cents'),
})
