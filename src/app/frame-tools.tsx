import { useState } from 'react'
import { useIntl } from 'react-intl'
import { selectRegion, useRegion } from '../data/use-region.ts'
import { LANGUAGES, LANGUAGE_NAMES, type Language } from '../i18n/language.ts'
import { useLanguage } from '../i18n/language-provider.tsx'
import { applyTheme, readTheme, THEMES, type Theme } from '../ui/theme.ts'
import styles from './frame.module.css'

interface PickerProps<Value extends string> {
  label: string
  value: Value
  options: readonly { value: Value; label: string }[]
  onChange(value: Value): void
}

function Picker<Value extends string>({ label, value, options, onChange }: PickerProps<Value>) {
  return (
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
}

export function RegionTool() {
  const intl = useIntl()
  const { language } = useLanguage()
  const { region, regions } = useRegion()
  if (!region || regions.length < 2) return null
  const name = { en: 'nameEn', 'zh-Hant': 'nameHant', 'zh-Hans': 'nameHans' } as const
  const options = regions.map((each) => ({ value: each.id, label: each[name[language]] }))
  return (
    <Picker
      label={intl.formatMessage({ id: 'nav.region' })}
      value={region.id}
      options={options}
      onChange={selectRegion}
    />
  )
}

export function LanguageTool() {
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
      onChange={choose}
    />
  )
}

export function ThemeTool() {
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
      onChange={(value) => {
        applyTheme(value)
        setTheme(value)
      }}
    />
  )
}
