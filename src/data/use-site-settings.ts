import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { configAll, getDictItems } from '../../contract/api/site.ts'
import { call, keyOf } from './client/call.ts'
import { cachedResponse } from './client/response-cache.ts'

const CACHED_MS = 1_200_000

/** The site's settings by code; from the last visit if there is no connection. */
export const useConfig = (): UseQueryResult<ReadonlyMap<string, string>> =>
  useQuery({
    queryKey: keyOf(configAll),
    queryFn: async ({ signal }) => {
      const items = await cachedResponse('_configAll', () => call(configAll, {}, signal))
      return new Map(items.map(({ code, codeValue }) => [code, codeValue]))
    },
    staleTime: CACHED_MS,
    retry: 1,
  })

/** Items of a dictionary in a language. */
export const useDictionary = (
  dictCode: string,
  language: string,
): UseQueryResult<{ label: string; value: string }[]> =>
  useQuery({
    queryKey: keyOf(getDictItems, { dictCode }, language),
    queryFn: ({ signal }) =>
      cachedResponse(`_dict ${dictCode} ${language}`, () => call(getDictItems, { dictCode }, signal)),
    staleTime: CACHED_MS,
  })
