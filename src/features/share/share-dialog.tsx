import { baseUrl } from '../../data/client/api-client.ts'
import { Link2, Mail, Share2, type LucideIcon } from 'lucide-react'
import { FormattedMessage, useIntl } from 'react-intl'
import { noteShare } from '../../data/client/device.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { showToast } from '../../ui/toast.tsx'
import styles from './share-dialog.module.css'

export interface Shared {
  url: string
  text: string
}

/** The link to the landing page, with the id of the sharing customer. */
function shareUrl(sharerId: string | null): string {
  const query = sharerId === null ? '' : `?${new URLSearchParams({ shareby: sharerId })}`
  return `${baseUrl()}#/pages/foot/foothome${query}`
}

/** Services that share by a URL (decisions section 9), by a proper name, or `email`. */
export function shareTargets({ url, text }: Shared) {
  const query = (values: Record<string, string>): string => new URLSearchParams(values).toString()
  return [
    { name: 'Facebook', href: `https://www.facebook.com/sharer/sharer.php?${query({ u: url })}`, mark: 'f' },
    { name: 'X', href: `https://twitter.com/intent/tweet?${query({ url, text })}`, mark: 'X' },
    { name: 'WhatsApp', href: `https://wa.me/?${query({ text: `${text} ${url}` })}`, mark: 'W' },
    {
      name: 'LinkedIn',
      href: `https://www.linkedin.com/sharing/share-offsite/?${query({ url })}`,
      mark: 'in',
    },
    {
      name: 'email',
      // Mail programs do not decode a plus sign as a space.
      href: `mailto:?subject=${encodeURIComponent(text)}&body=${encodeURIComponent(`${text}\n${url}`)}`,
      mark: null,
    },
  ]
}

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
      <ShareButtons sharerId={sharerId} onShared={onClose} />
    </Dialog>
  )
}

export function ShareButtons({ sharerId, onShared }: { sharerId: string | null; onShared?: () => void }) {
  const intl = useIntl()
  const shared: Shared = { url: shareUrl(sharerId), text: intl.formatMessage({ id: 'share.text' }) }
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(shared.url)
      showToast(intl.formatMessage({ id: 'share.copied' }), 'good')
      onShared?.()
    } catch {
      // Without clipboard permission, the user can still copy the link below manually.
      showToast(intl.formatMessage({ id: 'share.copyFailed' }), 'bad')
    }
  }
  return (
    <>
      <div className={styles.targets}>
        {shareTargets(shared).map(({ name, href, mark }) => (
          <a
            key={name}
            className={styles.target}
            href={href}
            target="_blank"
            rel="noopener noreferrer"
            onClick={(event) => {
              noteShare(shared)
              if (!href.startsWith('https:')) return
              // With `noopener`, `open` always returns null, so the popup is assumed to have opened.
              window.open(href, 'share', 'popup,noopener,width=600,height=400')
              event.preventDefault()
            }}
          >
            <span className={styles.mark} aria-hidden="true">
              {mark ?? <Mail size={20} />}
            </span>
            {name === 'email' ? <FormattedMessage id="share.email" /> : name}
          </a>
        ))}
        {'share' in navigator ? (
          <Way
            Icon={Share2}
            text="share.system"
            onPress={() => {
              noteShare(shared)
              // Dismissing the sheet is not an error.
              void navigator.share({ title: 'Furlong', ...shared }).catch(() => undefined)
            }}
          />
        ) : null}
        <Way
          Icon={Link2}
          text="share.copy"
          onPress={() => {
            noteShare(shared)
            void copy()
          }}
        />
      </div>
      <p className={styles.url}>{shared.url}</p>
    </>
  )
}

const Way = ({ Icon, text, onPress }: { Icon: LucideIcon; text: string; onPress(): void }) => (
  <button type="button" className={styles.target} onClick={onPress}>
    <span className={styles.mark} aria-hidden="true">
      <Icon size={20} />
    </span>
    <FormattedMessage id={text} />
  </button>
)
