import { FormattedMessage } from 'react-intl'
import { regionName, useRegion } from '../../data/use-region.ts'
import { useLanguage } from '../../i18n/language-provider.tsx'

/** What the site is about, with the user's region once it is known. */
export function Title() {
  const { region } = useRegion()
  const { language } = useLanguage()
  return region === null ? (
    <FormattedMessage id="home.titleAny" />
  ) : (
    <FormattedMessage id="home.title" values={{ region: regionName(region, language) }} />
  )
}
