import styles from './bar.module.css'

/** A fraction of 1 as the length of a bar; the figure itself is shown beside it as text. */
export const Bar = ({ share, of = 1 }: { share: number; of?: number }) => (
  <span className={styles.track} aria-hidden="true">
    <span className={styles.fill} style={{ width: `${Math.min(100, (share / of) * 100)}%` }} />
  </span>
)

/** A signed figure as a bar from the middle of an axis: to the right if it is positive. The figure itself is beside it. */
export const SignedBar = ({ value, most }: { value: number; most: number }) => (
  <span className={styles.axis} aria-hidden="true">
    <span
      className={value < 0 ? styles.down : styles.up}
      style={{ width: `${Math.min(50, (Math.abs(value) / most) * 50)}%` }}
    />
  </span>
)
