import { queryOptions, type UseQueryOptions } from '@tanstack/react-query'
import { keyOf } from '../client/call.ts'
import type { Rows } from './cells.ts'
import { decoder } from './parts.ts'
import { askRemote } from './remote.ts'

const FRESH_MS = 60_000

/**
 * A race's dividends, which are public; requested from the server, whatever region is open on this device.
 */
export const dividendsQuery = (regionId: string, raceId: string) =>
  queryOptions({
    queryKey: keyOf('dividends', regionId, raceId),
    queryFn: async ({ signal }): Promise<Rows> => {
      const request = { named: { name: 'dividends' as const, raceId } }
      const [answer, { readAnswer }] = await Promise.all([
        askRemote(regionId, request, { signal }),
        decoder.load(),
      ])
      return readAnswer(request, answer)
    },
    staleTime: FRESH_MS,
    structuralSharing: false,
    retry: 1,
  } satisfies UseQueryOptions<Rows>)
