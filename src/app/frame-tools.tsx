import { Settings2 } from 'lucide-react'
import { Suspense, useEffect, useRef, useState, type ReactNode } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { useMinute } from '../data/use-now.ts'
import { regionName, useRegion, useRegionCurrency } from '../data/use-region.ts'
import { useFormat } from '../i18n/format.ts'
import { useLanguage } from '../i18n/language-provider.tsx'
import { Hidden, Skeleton } from '../ui/panel.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { lazyOrNothing } from '../ui/behaviour/lazy-or-nothing.ts'
import { useWide } from '../ui/behaviour/use-wide.ts'
import { showToast } from '../ui/toast.tsx'
import styles from './frame.module.css'
import { onDevice } from '../storage/stored-text.ts'

const DisplaySettings = lazyOrNothing(async () => ({
  default: (await import('../features/region/display-settings.tsx')).DisplaySettings,
}))

interface DialogButtonProps {
  className: string | undefined
  /** What the button shows. */
  label: ReactNode
  /** Message id of the dialog's title. */
  title: string
  /** The content of the dialog. */
  children: ReactNode
}

function DialogButton({ className, label, title, children }: DialogButtonProps) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <button type="button" className={className} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {label}
      </button>
      <Dialog open={open} onClose={() => setOpen(false)} title={<FormattedMessage id={title} />}>
        {children}
      </Dialog>
    </>
  )
}

/** Region, language and theme in a dialog behind one button, which names the region. */
export function SettingsTool() {
  const { language } = useLanguage()
  const { region } = useRegion()
  const label = (
    <>
      <Settings2 aria-hidden="true" size={18} />
      <span>{region === null ? null : regionName(region, language)}</span>
      <Hidden>
        <FormattedMessage id="nav.settings" />
      </Hidden>
    </>
  )
  return (
    <DialogButton className={styles.settings} label={label} title="nav.settings">
      {/* Two or three choices below their names. */}
      <Suspense fallback={<Skeleton height={160} />}>
        <DisplaySettings />
      </Suspense>
    </DialogButton>
  )
}

/** States that the races are simulated, and explains what that means. */
export const DemonstrationMark = () => (
  <DialogButton
    className={styles.demonstration}
    label={<FormattedMessage id="common.demonstration.short" />}
    title="common.demonstration.title"
  >
    <FormattedMessage id="common.demonstration" tagName="p" />
  </DialogButton>
)

/** The current time in the region's time zone, updated every minute. */
export function Clock() {
  const format = useFormat()
  const { language } = useLanguage()
  const { region } = useRegion()
  const wide = useWide()
  const now = new Date(useMinute())
  const time = region === null ? null : format.timeIn(now.toISOString(), region.timeZone)
  return (
    <time className={styles.clock} dateTime={now.toISOString()} {...(time && { title: time })}>
      {region === null ? null : (
        <Hidden>
          <FormattedMessage id="nav.clock" values={{ region: regionName(region, language) }} />{' '}
        </Hidden>
      )}
      {/* On a phone the product's name is as wide as a time with the bare offset. */}
      {wide ? time : time?.replace('GMT', '')}
    </time>
  )
}

/** Says amounts in the currency of the region that is shown, and warns if the selected one is no longer available. */
export function RegionWarning() {
  const intl = useIntl()
  const { language } = useLanguage()
  const { region, missing } = useRegion()
  useRegionCurrency()
  // The effect runs again with each currency, whose texts are others.
  const told = useRef(false)
  const shown = region === null ? undefined : regionName(region, language)
  useEffect(() => {
    if (missing && shown !== undefined && !told.current && onDevice.read('user_selected_region') !== null) {
      told.current = true
      showToast(intl.formatMessage({ id: 'nav.regionGone' }, { region: shown }))
    }
  }, [missing, shown, intl])
  return null
}
