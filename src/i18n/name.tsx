import type { ReactNode } from 'react'
import { useIntl } from 'react-intl'
import { languageRules, type Language } from '../../domain/languages.ts'
import styles from './name.module.css'

interface NameProps {
  /** Language of the name; `null` if no language has one. */
  language: Language | null
  children: ReactNode
}

/** A name. If it is in another language than the user's, it is marked visibly and for screen readers. */
export function Name({ language, children }: NameProps) {
  const intl = useIntl()
  if (language === null || language === intl.locale) return children
  const label = intl.formatMessage({ id: `nameIn.${language}` })
  return (
    <>
      <span lang={language}>{children}</span>
      <span className={styles.mark} role="img" aria-label={label} title={label}>
        {languageRules(language).sign}
      </span>
    </>
  )
}
