import { createContext, use, type ReactNode } from 'react'
import styles from './number-cloth.module.css'

interface NumberClothProps {
  /** The runner's number; `null` means hidden and is shown as a question mark. */
  value: number | string | null
  /** `first`: the winner, or the model's first choice. `hit`: a choice that was right. */
  tone?: 'plain' | 'first' | 'hit'
  /** For rows of many numbers. */
  small?: boolean
  label?: string
}

/** The cloth below a saddle, seen from the side: its top follows the horse's back. */
const OUTLINE =
  'M4.6 3.4C11 6.6 21 6.6 27.4 3.4L31 25.6C31.3 28.2 30 29.6 27.6 30C20 31.2 12 31.2 4.4 30C2 29.6 .7 28.2 1 25.6Z'

/** `null`: it is not known yet. */
const ByName = createContext<boolean | null>(false)

/** Shows the numbers of a race as what they are: on no cloths if the source has no saddle numbers. */
export const NumbersOf = ({
  race,
  children,
}: {
  /** `undefined` while it is not known: the numbers stand alone. */
  race: { numbersByName: boolean } | undefined
  children: ReactNode
}) => <ByName value={race?.numbersByName ?? null}>{children}</ByName>

/** A runner's number on a saddle cloth; one that is no saddle number stands alone, or on a disc if it is marked. */
export function NumberCloth({ value, tone = 'plain', small = false, label }: NumberClothProps) {
  const byName = use(ByName)
  const outline = byName === null ? styles.unknown : byName ? styles.byName : ''
  return (
    <span
      className={`${styles.cloth} ${styles[tone]} ${small ? styles.small : ''} ${outline}`}
      {...(label ? { role: 'img', 'aria-label': label } : {})}
    >
      <svg viewBox="0 0 32 32" aria-hidden="true">
        {byName ? <circle cx="16" cy="16" r="14" /> : <path d={OUTLINE} />}
      </svg>
      <span className={styles.number}>{value ?? '?'}</span>
    </span>
  )
}
