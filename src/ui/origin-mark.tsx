import { FormattedMessage } from 'react-intl'
import type { Origin } from '../../contract/record-vocabulary.ts'
import texts from './text.module.css'
import styles from './origin-mark.module.css'

/** Shows when a prediction was made: a backtest must never be mistaken for a forecast. */
export const OriginMark = ({ origin }: { origin: Origin }) => (
  <small
    className={`${styles.origin} ${origin === 'changed' ? texts.loss : texts.soft}`}
    data-origin={origin}
  >
    <FormattedMessage id={`origin.${origin}`} />
  </small>
)
