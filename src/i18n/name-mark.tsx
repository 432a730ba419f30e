import { useIntl } from 'react-intl'
import type { Language } from './language.ts'
import styles from './name-mark.module.css'

/** How a foreign name is marked: by its own language’s sign. */
const SIGNS: Readonly<Record<Language, string>> = { en: 'EN', 'zh-Hant': '繁', 'zh-Hans': '简' }

/** Marks a name of another language than the reader’s, which has none for it; nothing for his own. */
export function NameMark({ language }: { language: Language | null }) {
  const intl = useIntl()
  if (language === null || language === intl.locale) return null
  const told = intl.formatMessage({ id: `nameIn.${language}` })
  return (
    <span className={styles.mark} role="img" aria-label={told} title={told}>
      {SIGNS[language]}
    </span>
  )
}
