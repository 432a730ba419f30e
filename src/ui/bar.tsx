import styles from './bar.module.css'

/** A fraction of 1 as the length of a bar; the figure itself is shown beside it as text. */
export const Bar = ({ share, of = 1 }: { share: number; of?: number }) => (
  <span className={styles.track} aria-hidden="true">
    <span className={styles.fill} style={{ width: `${Math.min(100, (share / of) * 100)}%` }} />
  </span>
)
