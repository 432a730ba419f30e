import { FormattedMessage } from 'react-intl'
import type { Origin } from '../../contract/record-vocabulary.ts'
import layout from './layout.module.css'

/** Shows when a prediction was made: a backtest must never be mistaken for a forecast. */
export function OriginMark({ origin }: { origin: Origin }) {
  return (
    <small
      className={`${layout.origin} ${origin === 'changed' ? layout.loss : layout.soft}`}
      data-origin={origin}
    >
      <FormattedMessage id={`origin.${origin}`} />
    </small>
  )
}
