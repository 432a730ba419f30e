import { Settings2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { languageOfLocale, regionRules } from '../../domain/region.ts'
import { selectRegion, useRegion } from '../data/use-region.ts'
import { useFormat } from '../i18n/format.ts'
import { LANGUAGES, LANGUAGE_NAMES, type Language } from '../i18n/language.ts'
import { useLanguage } from '../i18n/language-provider.tsx'
import { Hidden } from '../ui/panel.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { applyTheme, readTheme, THEMES, type Theme } from '../ui/theme.ts'
import { showToast } from '../ui/toast.tsx'
import styles from './frame.module.css'

interface PickerProps<Value extends string> {
  label: string
  value: Value
  options: readonly { value: Value; label: string }[]
  /** With its label written beside it. */
  told: boolean
  onChange(value: Value): void
}

function Picker<Value extends string>({ label, value, options, told, onChange }: PickerProps<Value>) {
  const select = (
    <select
      className={styles.tool}
      aria-label={label}
      value={value}
      onChange={(event) => onChange(event.target.value as Value)}
    >
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  )
  if (!told) return select
  return (
    <div className={styles.setting}>
      <span aria-hidden="true">{label}</span>
      {select}
    </div>
  )
}

const NAMES = { en: 'nameEn', 'zh-Hant': 'nameHant', 'zh-Hans': 'nameHans' } as const

function RegionTool({ told }: { told: boolean }) {
  const intl = useIntl()
  const { language, suggest } = useLanguage()
  const { region, regions, missing } = useRegion()
  const fallback = region?.[NAMES[language]]
  useEffect(() => {
    if (missing && fallback !== undefined && localStorage.getItem('user_selected_region') !== null)
      showToast(intl.formatMessage({ id: 'nav.regionGone' }, { region: fallback }))
  }, [missing, fallback, intl])
  if (!region || regions.length < 2) return null
  const options = regions.map((each) => ({ value: each.id, label: each[NAMES[language]] }))
  return (
    <Picker
      label={intl.formatMessage({ id: 'nav.region' })}
      value={region.id}
      options={options}
      told={told}
      onChange={(id) => {
        selectRegion(id)
        suggest(languageOfLocale(regionRules(id).locale))
      }}
    />
  )
}

function LanguageTool({ told }: { told: boolean }) {
  const intl = useIntl()
  const { language, choose } = useLanguage()
  const options = LANGUAGES.map((value): { value: Language; label: string } => ({
    value,
    label: LANGUAGE_NAMES[value],
  }))
  return (
    <Picker
      label={intl.formatMessage({ id: 'nav.language' })}
      value={language}
      options={options}
      told={told}
      onChange={choose}
    />
  )
}

function ThemeTool({ told }: { told: boolean }) {
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
      told={told}
      onChange={(value) => {
        applyTheme(value)
        setTheme(value)
      }}
    />
  )
}

/** Region, language and colours, side by side. */
export function Tools() {
  return (
    <>
      <RegionTool told={false} />
      <LanguageTool told={false} />
      <ThemeTool told={false} />
    </>
  )
}

/** The same behind one button, for narrow screens. */
export function SettingsTool() {
  const intl = useIntl()
  const { language } = useLanguage()
  const { region } = useRegion()
  const [open, setOpen] = useState(false)
  return (
    <>
      <button type="button" className={styles.settings} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <Settings2 aria-hidden="true" size={18} />
        <span>{region?.[NAMES[language]]}</span>
        <Hidden>{intl.formatMessage({ id: 'nav.settings' })}</Hidden>
      </button>
      <Dialog open={open} onClose={() => setOpen(false)} title={<FormattedMessage id="nav.settings" />}>
        <RegionTool told />
        <LanguageTool told />
        <ThemeTool told />
      </Dialog>
    </>
  )
}

const MINUTE_MS = 60_000

/** The time of now, by the minute. */
export function Clock() {
  const format = useFormat()
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    let timer: ReturnType<typeof setInterval> | undefined
    const tick = (): void => setNow(new Date())
    // First at the next full minute, then every 60 s.
    const first = setTimeout(
      () => {
        tick()
        timer = setInterval(tick, MINUTE_MS)
      },
      MINUTE_MS - (Date.now() % MINUTE_MS),
    )
    return () => {
      clearTimeout(first)
      clearInterval(timer)
    }
  }, [])
  return (
    <time className={styles.clock} dateTime={now.toISOString()}>
      {format.time(now.toISOString())}
    </time>
  )
}
