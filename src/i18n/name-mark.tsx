import { useIntl } from 'react-intl'
import type { Language } from './language.ts'
import { SIGNS } from './names.ts'
import styles from './name-mark.module.css'

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
