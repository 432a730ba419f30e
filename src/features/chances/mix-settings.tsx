import { useIntl } from 'react-intl'
import { useFormat } from '../../i18n/format.ts'
import { Range } from '../../ui/fields/range.tsx'
import { Small } from '../../ui/layout.tsx'
import { EXPONENT_RANGE, type StoredChances } from './stored-chances.ts'
import styles from './chances.module.css'

interface MixSettingsProps {
  set: StoredChances
  /** Whether every horse has odds, so that the market's probabilities are known. */
  hasMarket: boolean
  onChange(changed: Partial<StoredChances>): void
}

/** How much of the market is mixed in, and how certain the places behind the winner are. */
export function MixSettings({ set, hasMarket, onChange }: MixSettingsProps) {
  const intl = useIntl()
  const format = useFormat()
  return (
    <div className={styles.sliders}>
      {hasMarket ? (
        <Range
          label={intl.formatMessage({ id: 'chances.share' })}
          min={0}
          max={1}
          step={0.05}
          value={set.share}
          text={format.percent(set.share, 0)}
          onChange={(share) => onChange({ share })}
        />
      ) : (
        <Small text="chances.noMarket" />
      )}
      {(['second', 'third', 'fourth'] as const).map((stage) => (
        <Range
          key={stage}
          label={intl.formatMessage({ id: `chances.${stage}` })}
          {...EXPONENT_RANGE}
          step={0.01}
          value={set.exponents[stage]}
          text={format.decimal(set.exponents[stage], 2)}
          onChange={(value) => onChange({ exponents: { ...set.exponents, [stage]: value } })}
        />
      ))}
    </div>
  )
}
