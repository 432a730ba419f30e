import { Suspense } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { lazyOrNothing } from '../../ui/behaviour/lazy-or-nothing.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Skeleton } from '../../ui/panel.tsx'

const ShareButtons = lazyOrNothing(async () => ({
  default: (await import('./share-buttons.tsx')).ShareButtons,
}))
/** Of two lines of buttons and the link. */
const HEIGHT = 260

interface ShareDialogProps {
  open: boolean
  /** Id of the sharing customer for the link; `null` for a visitor. */
  sharerId: string | null
  onClose(): void
}

/** Ways to share Furlong: social networks, mail, the system's share sheet, and the link itself. */
export function ShareDialog({ open, sharerId, onClose }: ShareDialogProps) {
  const intl = useIntl()
  return (
    <Dialog open={open} onClose={onClose} title={<FormattedMessage id="share.title" />}>
      <p>{intl.formatMessage({ id: sharerId === null ? 'share.signInFirst' : 'share.reward' })}</p>
      <Suspense fallback={<Skeleton height={HEIGHT} />}>
        <ShareButtons sharerId={sharerId} onShared={onClose} />
      </Suspense>
    </Dialog>
  )
}
