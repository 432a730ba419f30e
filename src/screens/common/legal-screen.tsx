import { FormattedMessage, useIntl } from 'react-intl'
import { useDark } from '../../ui/behaviour/use-dark.ts'
import layout from '../../ui/layout.module.css'
import styles from './common.module.css'

/** A legal text: a separate HTML page in the user's language, which can also be opened by itself. */
function Legal({ name, title }: { name: 'terms' | 'privacy'; title: string }) {
  const intl = useIntl()
  const dark = useDark()
  const address = `./legal/${name}.${intl.locale}.html`
  return (
    <div className={layout.stack}>
      <header className={layout.spread}>
        <h1>
          <FormattedMessage id={title} />
        </h1>
        <a href={address} target="_blank" rel="noreferrer">
          <FormattedMessage id="legal.alone" />
        </a>
      </header>
      <iframe
        key={`${address} ${dark}`}
        className={styles.frame}
        title={intl.formatMessage({ id: title })}
        src={`${address}#${dark ? 'dark' : 'light'}`}
        sandbox="allow-same-origin"
      />
    </div>
  )
}

export const TermsScreen = () => <Legal name="terms" title="legal.terms" />
export const PrivacyScreen = () => <Legal name="privacy" title="legal.privacy" />
