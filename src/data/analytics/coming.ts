import { queryOptions, type UseQueryOptions } from '@tanstack/react-query'
import type { Request } from '../../../analytics/request.ts'
import { keyOf } from '../client/call.ts'
import type { Rows } from './cells.ts'
import { decoder } from './parts.ts'
import { askRemote } from './remote.ts'

/** Odds change all day, so matches by odds may change without a pushed message. */
const EVERY_MS = 60_000

/** A query of today's and tomorrow's predictions that the user may see; always answered by the server. */
export const comingQuery = (token: string, regionId: string, request: Request) =>
  queryOptions({
    queryKey: keyOf('coming', token, regionId, request),
    queryFn: async ({ signal }): Promise<Rows> => {
      const response = askRemote(regionId, request, { signal }, 'coming')
      const [answer, { readAnswer }] = await Promise.all([response, decoder.load()])
      return readAnswer(request, answer)
    },
    staleTime: EVERY_MS / 2,
    refetchInterval: EVERY_MS,
    structuralSharing: false,
    retry: 1,
  } satisfies UseQueryOptions<Rows>)
