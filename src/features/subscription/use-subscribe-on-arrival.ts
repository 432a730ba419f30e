import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useIntl } from 'react-intl'
import { raceSubscribe } from '../../../contract/api/subscription.ts'
import { call } from '../../data/client/call.ts'
import { useRefreshRace } from '../../data/use-race.ts'
import { useRefreshAccount } from '../../data/use-session.ts'
import { showToast } from '../../ui/toast.tsx'
import { useErrorText } from '../../ui/use-error-text.ts'

/**
 * Subscribes to a race if the user agreed to it (or is VIP, for whom it is free): once per arrival, because
 * repeating the call has no effect. Shows a refusal.
 */
export function useSubscribeOnArrival(raceId: string, agreed: boolean): { busy: boolean; subscribe(): void } {
  const intl = useIntl()
  const errorText = useErrorText()
  const refreshRace = useRefreshRace()
  const refreshAccount = useRefreshAccount()
  const { mutate, isPending } = useMutation({
    mutationFn: () => call(raceSubscribe, { raceId }),
    onSuccess: async () => {
      await Promise.all([refreshRace(raceId), refreshAccount()])
    },
    onError: (error) =>
      showToast(`${intl.formatMessage({ id: 'subscribe.failed' })} ${errorText(error)}`, 'bad'),
  })
  const done = useRef<string | null>(null)
  useEffect(() => {
    if (!agreed || done.current === raceId) return
    done.current = raceId
    mutate()
  }, [agreed, raceId, mutate])
  return { busy: isPending, subscribe: () => mutate() }
}
