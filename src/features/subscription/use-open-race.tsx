import { useEffect, useRef, useState, type ReactNode } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { useNavigate } from 'react-router-dom'
import { asFurlongError } from '../../../domain/errors.ts'
import { subscribeCheck, raceSubscribe } from '../../../contract/api/subscription.ts'
import type { RaceInfo } from '../../../contract/api/racing.ts'
import { rememberWantedRace } from '../../data/wanted-race.ts'
import { racePath, type RaceSource } from '../../data/race-path.ts'
import { readToken } from '../../data/client/session.ts'
import { useIsVip, useRefreshAccount, useSession } from '../../data/use-session.ts'
import { showToast, TOAST_MS } from '../../ui/toast.tsx'
import { call } from '../../data/client/call.ts'
import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { fetchRace, useRefreshRace } from '../../data/use-race.ts'
import { useErrorText } from '../../ui/use-error-text.ts'
import { useFormat } from '../../i18n/format.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorNotice, Skeleton } from '../../ui/panel.tsx'
import { Facts, TextLink } from '../../ui/layout.tsx'
import texts from '../../ui/text.module.css'
import styles from './subscription-dialog.module.css'

/** Navigation state for the race's screen after the user agreed to spend a voucher. */
export interface RaceArrival {
  confirmed: true
}

/**
 * Opens a race: immediately for visitors, VIPs and subscribers, and if no model predicted it, or it is settled and its pick
 * is open to everybody; other members are asked first whether to spend a voucher on its predictions, and can continue without.
 * Returns the function that opens a race, and the dialog to render on the screen.
 */
export function useOpenRace(source: RaceSource): { open(raceId: string): void; dialog: ReactNode } {
  const intl = useIntl()
  const client = useQueryClient()
  const navigate = useNavigate()
  const isVip = useIsVip()
  const [asking, setAsking] = useState<RaceInfo | null>(null)
  const go = (raceId: string, confirmed: boolean): void => {
    setAsking(null)
    const state: RaceArrival | null = confirmed ? { confirmed } : null
    void navigate(racePath(raceId, source), { state })
  }
  const gone = useRef(false)
  const busy = useRef(false)
  useEffect(() => {
    gone.current = false
    return () => {
      gone.current = true
    }
  }, [])
  const open = (raceId: string): void => {
    if (busy.current) return
    // Runners and results are public; the race's screen offers visitors a way to its predictions.
    if (readToken() === null) return go(raceId, false)
    if (isVip === true) return go(raceId, true)
    busy.current = true
    raceToPay(client, raceId)
      .then(
        (race) => {
          // The user has left the screen meanwhile.
          if (gone.current) return
          if (race === null) go(raceId, false)
          else setAsking(race)
        },
        (error: unknown) =>
          showToast(intl.formatMessage({ id: `error.${asFurlongError(error).code}` }), 'bad', TOAST_MS.usual),
      )
      .finally(() => {
        busy.current = false
      })
  }
  return {
    open,
    dialog: (
      <SubscriptionDialog
        open={asking !== null}
        race={asking}
        onCancel={() => setAsking(null)}
        onConfirm={() => asking !== null && go(asking.raceId, true)}
        onWithout={() => asking !== null && go(asking.raceId, false)}
      />
    ),
  }
}

/** A race of which a member has to pay for what it is opened for; `null` if nothing has to be spent. */
async function raceToPay(client: QueryClient, raceId: string): Promise<RaceInfo | null> {
  if ((await call(subscribeCheck, { goodsId: raceId })) === 1) return null
  const race = await fetchRace(client, raceId)
  return race.models.length === 0 || (race.status === 'final' && race.tips?.open) ? null : race
}

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

interface SubscriptionDialogProps {
  open: boolean
  /** The race that is opened; `null` while none is. */
  race: RaceInfo | null
  onCancel(): void
  onConfirm(): void
  /** Continues without a voucher; absent if the user is already on the race's screen. */
  onWithout?: () => void
}

/** Asks whether to spend a voucher on a race: shows how many of both kinds are left, and that VIPs need none. */
export function SubscriptionDialog({ open, race, onCancel, onConfirm, onWithout }: SubscriptionDialogProps) {
  const format = useFormat()
  const account = useSession()
  const refresh = useRefreshAccount()
  useEffect(() => {
    if (open) void refresh()
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [open])
  const left = account.data
  const hasDaily = (left?.everyDayFreeNum ?? 0) > 0
  const count = left ? left.everyDayFreeNum + left.subscribeFreeNum : 0
  return (
    <Dialog
      open={open}
      onClose={onCancel}
      title={
        <FormattedMessage
          id="subscribe.title"
          values={{ racecourse: race?.stadiumName, number: race?.raceNumber }}
        />
      }
      actions={
        <>
          {onWithout ? <Button onClick={onWithout} text="subscribe.without" /> : null}
          <Button primary data-first-focus="" disabled={count === 0} onClick={onConfirm}>
            <FormattedMessage id="subscribe.useOne" values={{ count }} />
          </Button>
        </>
      }
    >
      {account.error ? (
        <ErrorNotice error={account.error} onRetry={() => void account.refetch()} />
      ) : left ? (
        <Facts
          className={styles.balances}
          facts={[
            ['voucher.daily', format.integer(left.everyDayFreeNum)],
            ['voucher.noExpiry', format.integer(left.subscribeFreeNum)],
          ]}
        />
      ) : (
        <Skeleton height={72} />
      )}
      <p className={texts.soft}>
        <FormattedMessage
          id={
            hasDaily || !left
              ? 'subscribe.explained'
              : count > 0
                ? 'subscribe.explainedNoExpiry'
                : 'subscribe.none'
          }
        />
      </p>
      <TextLink
        className={styles.vip}
        to="/pages/race/viplist"
        onClick={() => {
          if (race) rememberWantedRace(race.raceId)
          onCancel()
        }}
        text="subscribe.toVip"
      />
    </Dialog>
  )
}
