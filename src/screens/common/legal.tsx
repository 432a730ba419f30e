import { FormattedMessage, useIntl } from 'react-intl'
import { useDark } from '../../ui/behaviour/theme.ts'
import { Row, Stack } from '../../ui/layout.tsx'
import styles from './common.module.css'

/** A legal text: a separate HTML page in the user's language, which can also be opened by itself. */
export function Legal({ name, title }: { name: 'terms' | 'privacy'; title: string }) {
  const intl = useIntl()
  const dark = useDark()
  const address = `./legal/${name}.${intl.locale}.html`
  return (
    <Stack>
      <Row as="header" spread>
        <FormattedMessage id={title} tagName="h1" />
        <a href={address} target="_blank" rel="noreferrer">
          <FormattedMessage id="legal.alone" />
        </a>
      </Row>
      <iframe
        key={`${address} ${dark}`}
        className={styles.frame}
        title={intl.formatMessage({ id: title })}
        src={`${address}#${dark ? 'dark' : 'light'}`}
        sandbox="allow-same-origin"
      />
    </Stack>
  )
}
