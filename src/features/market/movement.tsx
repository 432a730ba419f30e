import { FormattedMessage } from 'react-intl'
import { moveOf } from '../../../domain/odds-replay.ts'
import { useFormat } from '../../i18n/format.ts'
import texts from '../../ui/text.module.css'

/** How much odds moved; `named`: what a large movement is called. */
export function Movement({ movement, named }: { movement: number | null; named: boolean }) {
  const format = useFormat()
  if (movement === null) return '–'
  const move = moveOf(movement)
  return (
    <span className={move === null ? undefined : move === 'steamer' ? texts.gain : texts.loss}>
      {format.signedPercent(movement, 0)}
      {move === null || !named ? null : (
        <>
          {' '}
          <FormattedMessage id={`market.${move}`} />
        </>
      )}
    </span>
  )
}
