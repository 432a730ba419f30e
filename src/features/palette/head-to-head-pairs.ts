import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useIntl } from 'react-intl'
import { queryRaceHorse, type HorsePage } from '../../../contract/api/horse.ts'
import { queryFor } from '../../data/client/call.ts'

type FoundHorse = HorsePage['records'][number]

/** `A v B`, `A vs B`, 「A對B」: two names with a word between them. */
const VERSUS = /^(.+?)(?:\s+(?:v|vs|versus)\.?\s+|\s*[對对]\s*)(.+)$/iu
/** Maximum length of a name that the call accepts. */
const MAX_NAME = 40
/** Horses of each name that are offered, unless one is called exactly so. */
const OFFERED = 2

/** The two names in a text; `null` if it is not of two horses. */
function namesIn(text: string): readonly [string, string] | null {
  const [, one = '', two = ''] = VERSUS.exec(text) ?? []
  const names = [one.trim(), two.trim()] as const
  return names.every((name) => name !== '' && name.length <= MAX_NAME) ? names : null
}

/** The pairs of horses that a text names, from the server, which finds names of every language and brand numbers. */
export function useHeadToHeadPairs(
  regionId: string | null,
  text: string,
): readonly (readonly [FoundHorse, FoundHorse])[] {
  const names = namesIn(text)
  const one = useNamed(regionId, names?.[0])
  const two = useNamed(regionId, names?.[1])
  return names === null
    ? []
    : one.flatMap((a) => two.filter(({ id }) => id !== a.id).map((b) => [a, b] as const))
}

function useNamed(regionId: string | null, name: string | undefined): readonly FoundHorse[] {
  const intl = useIntl()
  const { data } = useQuery({
    ...queryFor(
      queryRaceHorse,
      regionId === null || name === undefined
        ? null
        : { pageNo: 1, pageSize: 8, countryRegionId: regionId, text: name },
      intl.locale,
    ),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    retry: 1,
  })
  const found = data?.records ?? []
  const same = found.find((horse) =>
    [horse.name, horse.nameEn, horse.number].some((each) => each?.toLowerCase() === name?.toLowerCase()),
  )
  return same === undefined ? found.slice(0, OFFERED) : [same]
}
