import { FormattedMessage, useIntl } from 'react-intl'
import { ExtraTexts } from '../../i18n/extra-texts.tsx'
import { Skeleton } from '../../ui/panel.tsx'
import styles from './palette.module.css'

/** Names of keys are the same in every language; `click` is a message. */
const SHORTCUTS = [
  ['search', [['Ctrl', 'K'], ['/']]],
  ['list', [['?']]],
  ['race', [['J'], ['K']]],
  ['meeting', [['['], [']']]],
  ['open', [['Enter']]],
  ['inspect', [['Space']]],
  ['filter', [['F']]],
  ['clear', [['Esc']]],
  ['undo', [['Ctrl', 'Z']]],
  ['add', [['Shift', 'click']]],
  ['exclude', [['Alt', 'click']]],
] as const

/** The keyboard shortcuts of the site. */
export default function Shortcuts() {
  return (
    <ExtraTexts part="palette" waiting={<Skeleton height={320} />}>
      <List />
    </ExtraTexts>
  )
}

function List() {
  const intl = useIntl()
  return (
    <dl className={styles.shortcuts}>
      {SHORTCUTS.map(([id, ways]) => (
        <div key={id}>
          <dt>{intl.formatMessage({ id: `shortcut.${id}` })}</dt>
          <dd>
            {ways.map((keys, index) => (
              <span key={keys.join(' ')}>
                {index > 0 ? <FormattedMessage id="shortcut.or" /> : null}
                {keys.map((key) => (
                  <kbd key={key}>{key === 'click' ? intl.formatMessage({ id: 'shortcut.click' }) : key}</kbd>
                ))}
              </span>
            ))}
          </dd>
        </div>
      ))}
    </dl>
  )
}
