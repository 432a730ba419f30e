import { useFormat } from '../../i18n/format.ts'
import styles from './pace.module.css'

/** Percent against par from which a colour is strongest. */
const STRONGEST = 4
/** The strongest colour, in percent of the whole one: text on it is still read. */
const MOST_COLOUR = 40

/** The colour of a figure against par, faster or slower, as properties of its element; none without a figure. */
export function parColour(percent: number | null): { className: string; style?: React.CSSProperties } {
  if (percent === null) return { className: styles.cell! }
  const strength = Math.round((MOST_COLOUR * Math.min(Math.abs(percent), STRONGEST)) / STRONGEST)
  const tone = percent < 0 ? styles.slow : styles.fast
  return {
    className: `${styles.cell} ${tone}`,
    style: { '--strength': strength } as React.CSSProperties,
  }
}

/** How much faster (+) or slower (−) than par something was, in percent, with its colour. */
export function AgainstPar({ percent }: { percent: number | null }) {
  const format = useFormat()
  if (percent === null) return '–'
  return <span {...parColour(percent)}>{format.signedPercent(percent / 100)}</span>
}
