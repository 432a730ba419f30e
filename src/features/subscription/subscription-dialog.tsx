import { useEffect, type ReactNode } from 'react'
import { FormattedMessage } from 'react-intl'
import { useRefreshAccount, useSession } from '../../data/use-session.ts'
import { useFormat } from '../../i18n/format.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorNotice, Skeleton } from '../../ui/panel.tsx'
import { Facts, TextLink } from '../../ui/layout.tsx'
import texts from '../../ui/text.module.css'
import styles from './subscription-dialog.module.css'

interface SubscriptionDialogProps {
  open: boolean
  title: ReactNode
  onCancel(): void
  onConfirm(): void
  /** Continues without a voucher; absent if the user is already on the race's screen. */
  onWithout?: () => void
}

/**
 * Asks whether to spend a voucher on a race: shows how many of both kinds are left, and that VIPs need none.
 */
export function SubscriptionDialog({ open, title, onCancel, onConfirm, onWithout }: SubscriptionDialogProps) {
  const format = useFormat()
  const account = useSession()
  const refresh = useRefreshAccount()
  useEffect(() => {
    if (open) void refresh()
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [open])
  const left = account.data
  const any = (left?.everyDayFreeNum ?? 0) > 0 || (left?.subscribeFreeNum ?? 0) > 0
  return (
    <Dialog
      open={open}
      onClose={onCancel}
      title={title}
      actions={
        <>
          <Button onClick={onCancel} text="common.cancel" />
          {onWithout ? <Button onClick={onWithout} text="subscribe.without" /> : null}
          <Button primary disabled={!any} onClick={onConfirm} text="subscribe.confirm" />
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
        <FormattedMessage id={any || !left ? 'subscribe.explained' : 'subscribe.none'} />
      </p>
      <TextLink className={styles.vip} to="/pages/race/viplist" onClick={onCancel} text="subscribe.toVip" />
    </Dialog>
  )
}
