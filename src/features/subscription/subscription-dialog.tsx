import { useEffect } from 'react'
import { FormattedMessage } from 'react-intl'
import type { RaceInfo } from '../../../contract/api/racing.ts'
import { rememberWantedRace } from '../../data/wanted-race.ts'
import { useRefreshAccount, useSession } from '../../data/use-session.ts'
import { useFormat } from '../../i18n/format.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorNotice, Skeleton } from '../../ui/panel.tsx'
import { Facts, TextLink } from '../../ui/layout.tsx'
import texts from '../../ui/text.module.css'
import styles from './subscription-dialog.module.css'

export interface SubscriptionDialogProps {
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
