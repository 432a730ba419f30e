import { User } from 'lucide-react'
import styles from './avatar.module.css'

/** A customer's picture, shown beside the name; an outline if there is none. */
export function Avatar({ url, size }: { url: string | null; size: number }) {
  const style = { width: size, height: size }
  return url === null ? (
    <span className={styles.avatar} style={style} aria-hidden="true">
      <User size={size * 0.55} />
    </span>
  ) : (
    <img className={styles.avatar} style={style} src={url} alt="" width={size} height={size} />
  )
}
