import { useSyncExternalStore } from 'react'
import { useIntl } from 'react-intl'
import { LANGUAGE_RULES } from '../../../domain/languages.ts'
import { useLanguage } from '../../i18n/language-provider.tsx'
import { applyTheme, onThemeChange, readTheme, THEMES } from '../../ui/behaviour/theme.ts'
import { Picker } from '../../ui/fields/select.tsx'
import { showToast } from '../../ui/toast.tsx'
import { RegionPicker } from './region-picker.tsx'

/** Region, language and colours, each below its name; a change is seen at once. */
export const DisplaySettings = () => (
  <>
    <RegionPicker labelled />
    <LanguagePicker />
    <ThemePicker />
  </>
)

function LanguagePicker() {
  const intl = useIntl()
  const { language, choose } = useLanguage()
  return (
    <Picker
      label={intl.formatMessage({ id: 'nav.language' })}
      value={language}
      options={LANGUAGE_RULES.map(({ id, name }) => ({ value: id, label: name }))}
      labelled
      onChange={(value) =>
        void choose(value).then((shown) => {
          if (!shown) showToast(intl.formatMessage({ id: 'error.offline' }), 'bad')
        })
      }
    />
  )
}

function ThemePicker() {
  const intl = useIntl()
  const theme = useSyncExternalStore(onThemeChange, readTheme)
  return (
    <Picker
      label={intl.formatMessage({ id: 'nav.theme' })}
      value={theme}
      options={THEMES.map((value) => ({ value, label: intl.formatMessage({ id: `theme.${value}` }) }))}
      labelled
      onChange={applyTheme}
    />
  )
}
