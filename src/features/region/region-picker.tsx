import { useIntl } from 'react-intl'
import { languageOfLocale, regionRules } from '../../../domain/region.ts'
import { regionName, selectRegion, useRegion } from '../../data/use-region.ts'
import { useLanguage } from '../../i18n/language-provider.tsx'
import { Picker } from '../../ui/fields/select.tsx'
import styles from './region-picker.module.css'

/** Selects a country or region; changing it suggests its language. */
export function RegionPicker({ labelled }: { labelled: boolean }) {
  const intl = useIntl()
  const { language, suggest } = useLanguage()
  const { region, regions } = useRegion()
  if (!region || regions.length < 2) return null
  const options = regions.map((each) => ({ value: each.id, label: regionName(each, language) }))
  return (
    <Picker
      label={intl.formatMessage({ id: 'nav.region' })}
      value={region.id}
      options={options}
      labelled={labelled}
      onChange={(id) => {
        selectRegion(id)
        suggest(languageOfLocale(regionRules(id).locale))
      }}
    />
  )
}

/** The region picker of a screen's heading; on wider screens the header contains it. */
export const PhoneRegionPicker = () => (
  <span className={styles.onPhones}>
    <RegionPicker labelled={false} />
  </span>
)
