import { useIntl } from 'react-intl'
import { languageOfLocale, regionRules } from '../../../domain/region.ts'
import { selectRegion, useRegion } from '../../data/use-region.ts'
import { useLanguage } from '../../i18n/language-provider.tsx'
import { Picker } from '../../ui/picker.tsx'

/** Columns of a region's name by language. */
export const NAMES = { en: 'nameEn', 'zh-Hant': 'nameHant', 'zh-Hans': 'nameHans' } as const

/** The countries and regions that there are; another one brings its language. */
export function RegionPicker({ told }: { told: boolean }) {
  const intl = useIntl()
  const { language, suggest } = useLanguage()
  const { region, regions } = useRegion()
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
