import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import type { ResultOf } from '../../../contract/api/endpoint.ts'
import type * as site from '../../../contract/api/site.ts'
import { get, post } from '../client/api-client.ts'
import { clientId } from '../client/device.ts'
import { cachedResponse } from '../client/response-cache.ts'
import { keyOf } from '../client/keys.ts'

/** Calls about the site itself: settings, banners, dictionaries, visits, updates. */

export type Ad = ResultOf<typeof site.adlist>[number]
export type Update = ResultOf<typeof site.appUpdate>

const CACHED_MS = 1_200_000

export const fetchAds = (signal?: AbortSignal): Promise<Ad[]> =>
  get('sys/api/adlist', { position: 'mobile_client_home' }, signal)

export const fetchUpdate = (version: string): Promise<Update> =>
  get('sys/api/appUpdate', { appid: 'furlong-web', version, imei: clientId() })

export const fetchLocation = (): Promise<ResultOf<typeof site.location>> => get('sys/api/location', {})

export const logVisit = (page: string): Promise<null> =>
  post('sys/api/customer/visitLog', { clientId: clientId(), page, channel: 'h5' })

/** The site's settings by code; from the last visit if there is no connection. */
export const useConfig = (): UseQueryResult<ReadonlyMap<string, string>> =>
  useQuery({
    queryKey: keyOf('config'),
    queryFn: async ({ signal }) => {
      const items = await cachedResponse('_configAll', () => get('sys/api/configAll', {}, signal))
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
    queryKey: keyOf('dictionary', dictCode, language),
    queryFn: ({ signal }) =>
      cachedResponse(`_dict ${dictCode} ${language}`, () =>
        get(`sys/dict/getDictItems/${dictCode}`, {}, signal),
      ),
    staleTime: CACHED_MS,
  })
