import { queryOptions, skipToken } from '@tanstack/react-query'
import { call, type InputOf, type TypedCall } from './call.ts'
import { keyOf } from './keys.ts'

/**
 * Key and function of a call's query; `null` as input makes no request. `scope`: what the response depends on
 * besides the input, as the language and the token.
 *
 * @example useQuery({ ...queryFor(queryRaceInfo, { raceId }, locale, token), retry: 1 })
 */
export const queryFor = <Of extends TypedCall>(
  endpoint: Of,
  input: InputOf<Of> | null,
  ...scope: readonly (string | null | undefined)[]
) =>
  queryOptions({
    queryKey: keyOf(endpoint, input, ...scope),
    queryFn: input === null ? skipToken : ({ signal }) => call(endpoint, input, signal),
  })
