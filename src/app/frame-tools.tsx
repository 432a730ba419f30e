import { Settings2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { LANGUAGE_RULES, type Language } from '../../domain/languages.ts'
import { useMinute } from '../data/use-now.ts'
import { regionName, useRegion } from '../data/use-region.ts'
import { RegionPicker } from '../features/region/region-picker.tsx'
import { useFormat } from '../i18n/format.ts'
import { useLanguage } from '../i18n/language-provider.tsx'
import { Hidden } from '../ui/panel.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { applyTheme, readTheme, THEMES, type Theme } from '../ui/behaviour/theme.ts'
import { Picker } from '../ui/fields/select.tsx'
import { showToast } from '../ui/toast.tsx'
import styles from './frame.module.css'

function LanguageTool({ labelled }: { labelled: boolean }) {
  const intl = useIntl()
  const { language, choose } = useLanguage()
  const options = LANGUAGE_RULES.map(({ id, name }): { value: Language; label: string } => ({
    value: id,
    label: name,
  }))
  return (
    <Picker
      label={intl.formatMessage({ id: 'nav.language' })}
      value={language}
      options={options}
      labelled={labelled}
      onChange={(value) =>
        void choose(value).then((shown) => {
          if (!shown) showToast(intl.formatMessage({ id: 'error.offline' }), 'bad')
        })
      }
    />
  )
}

function ThemeTool({ labelled }: { labelled: boolean }) {
  const intl = useIntl()
  const [theme, setTheme] = useState(readTheme)
  const options = THEMES.map((value): { value: Theme; label: string } => ({
    value,
    label: intl.formatMessage({ id: `theme.${value}` }),
  }))
  return (
    <Picker
      label={intl.formatMessage({ id: 'nav.theme' })}
      value={theme}
      options={options}
      labelled={labelled}
      onChange={(value) => {
        applyTheme(value)
        setTheme(value)
      }}
    />
  )
}

/** Region, language and theme, side by side. */
export function Tools() {
  return (
    <>
      <RegionPicker labelled={false} />
      <LanguageTool labelled={false} />
      <ThemeTool labelled={false} />
    </>
  )
}

/** The same in a dialog behind one button, for narrow screens. */
export function SettingsTool() {
  const intl = useIntl()
  const { language } = useLanguage()
  const { region } = useRegion()
  const [open, setOpen] = useState(false)
  return (
    <>
      <button type="button" className={styles.settings} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <Settings2 aria-hidden="true" size={18} />
        <span>{region === null ? null : regionName(region, language)}</span>
        <Hidden>{intl.formatMessage({ id: 'nav.settings' })}</Hidden>
      </button>
      <Dialog open={open} onClose={() => setOpen(false)} title={<FormattedMessage id="nav.settings" />}>
        <RegionPicker labelled />
        <LanguageTool labelled />
        <ThemeTool labelled />
      </Dialog>
    </>
  )
}

/** States that the races are simulated, and explains what that means. */
export function DemonstrationMark() {
  const [open, setOpen] = useState(false)
  return (
    <>
      <button
        type="button"
        className={styles.demonstration}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <FormattedMessage id="common.demonstration.short" />
      </button>
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        title={<FormattedMessage id="common.demonstration.title" />}
      >
        <FormattedMessage id="common.demonstration" tagName="p" />
      </Dialog>
    </>
  )
}

/** The current time, updated every minute. */
export function Clock() {
  const format = useFormat()
  const now = new Date(useMinute())
  return (
    <time className={styles.clock} dateTime={now.toISOString()}>
      {format.time(now.toISOString())}
    </time>
  )
}

/** Warns if the selected region is no longer available. */
export function RegionWarning() {
  const intl = useIntl()
  const { language } = useLanguage()
  const { region, missing } = useRegion()
  const shown = region === null ? undefined : regionName(region, language)
  useEffect(() => {
    if (missing && shown !== undefined && localStorage.getItem('user_selected_region') !== null)
      showToast(intl.formatMessage({ id: 'nav.regionGone' }, { region: shown }))
  }, [missing, shown, intl])
  return null
}
