import { useEffect, useRef, useState, type ComponentType, type ReactNode } from 'react'
import { useIntl } from 'react-intl'
import { useNavigate } from 'react-router-dom'
import { asFurlongError } from '../../../domain/errors.ts'
import { subscribeCheck } from '../../../contract/api/subscription.ts'
import type { RaceInfo } from '../../../contract/api/racing.ts'
import { racePath, type RaceSource } from '../../data/race-path.ts'
import { readToken } from '../../data/client/session.ts'
import { useIsVip } from '../../data/use-session.ts'
import { showToast, TOAST_MS } from '../../ui/toast.tsx'
import { call } from '../../data/client/call.ts'
import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { fetchRace } from '../../data/use-race.ts'
import type { SubscriptionDialogProps } from './subscription-dialog.tsx'

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
  const [Ask, setAsk] = useState<ComponentType<SubscriptionDialogProps> | null>(null)
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
    raceToAsk(client, raceId)
      .then(
        (found) => {
          // The user has left the screen meanwhile.
          if (gone.current) return
          if (found === null) return go(raceId, false)
          setAsk(() => found.Dialog)
          setAsking(found.race)
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
    dialog:
      Ask === null ? null : (
        <Ask
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

/** The race to ask about, and the dialog that asks, which a list of races loads for members alone; `null` if nothing has to be spent. */
async function raceToAsk(client: QueryClient, raceId: string) {
  const loading = import('./subscription-dialog.tsx')
  // Whether it could be loaded matters only if it is needed.
  loading.catch(() => null)
  const race = await raceToPay(client, raceId)
  return race === null ? null : { race, Dialog: (await loading).SubscriptionDialog }
}
