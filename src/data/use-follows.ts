import { useMutation, useQuery, useQueryClient, type UseMutationResult } from '@tanstack/react-query'
import { follow, queryFollows, unfollow, type Follow } from '../../contract/api/follow.ts'
import { call, keyOf, queryFor } from './client/call.ts'
import { useToken } from './client/session.ts'

/** What can be followed with one tap. */
export type FollowTarget = Pick<Follow, 'kind' | 'target'>

const STALE_MS = 300_000

const isSame = (a: FollowTarget, b: FollowTarget): boolean => a.kind === b.kind && a.target === b.target

/** Everything that the signed-in user follows; empty until it is known, and for a visitor. */
function useFollows(): readonly Follow[] {
  const token = useToken()
  const { data } = useQuery({
    ...queryFor(queryFollows, token === null ? null : {}, token),
    staleTime: STALE_MS,
    retry: 1,
  })
  return data ?? []
}

/** Whether the signed-in user follows something. */
export const useIsFollowed = (of: FollowTarget): boolean => useFollows().some((each) => isSame(each, of))

/**
 * Follows something, or ends that. The screen shows the new state immediately, and the former one again if the server
 * cannot be reached or refuses.
 *
 * @example useFollowing({ kind: 'horse', target: horseId }, showError).mutate(true)
 */
export function useFollowing(
  of: FollowTarget,
  onError: (error: Error) => void,
): UseMutationResult<unknown, Error, boolean> {
  const client = useQueryClient()
  const key = keyOf(queryFollows, {}, useToken())
  const show = (followed: boolean): void => {
    // Without the list the others are not known, so it is left to the next answer.
    client.setQueryData<Follow[]>(key, (before) => {
      const others = before?.filter((each) => !isSame(each, of))
      return followed && others ? [{ ...of, createdAt: new Date().toISOString() }, ...others] : others
    })
  }
  return useMutation<unknown, Error, boolean>({
    mutationFn: (followed) => (followed ? call(follow, { ...of }) : call(unfollow, { ...of })),
    onMutate: async (followed) => {
      // An answer from before the tap must not undo it on the screen.
      await client.cancelQueries({ queryKey: key })
      show(followed)
    },
    onError: (error, followed) => {
      show(!followed)
      onError(error)
    },
    // Not waited for: the next tap need not wait for the list.
    onSettled: () => void client.invalidateQueries({ queryKey: keyOf(queryFollows) }),
  })
}
