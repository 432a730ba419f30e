import type { AnswerRow } from '../../../analytics/cells.ts'
import type { FollowTarget } from '../../data/use-follows.ts'
import { FollowToggle } from '../../widgets/follow/follow.tsx'
import styles from './follow-star.module.css'

/** Dimensions whose values can be followed. */
const FOLLOWED = ['horse', 'jockey', 'trainer'] as const

const followedDimension = (dim: string | null) => FOLLOWED.find((each) => each === dim)

/** Whether the values of a dimension can be followed, so that a place is kept for the star. */
export const canBeFollowed = (dim: string | null): boolean => followedDimension(dim) !== undefined

interface RowStarProps {
  dim: string
  /** A group with its id; `undefined` until it is known. */
  row: AnswerRow | undefined
  /** The value, in the reader's language. */
  name: string
}

/** Follows the horse, jockey or trainer of a group with one tap. Its place stays empty while the id is not known. */
export function RowStar({ dim, row, name }: RowStarProps) {
  const kind = followedDimension(dim)
  // An answer that was kept from before the ids has none.
  const target = row?.[`${dim}_id`]
  return kind === undefined || typeof target !== 'string' ? (
    <span className={styles.star} />
  ) : (
    <FollowStar of={{ kind, target }} name={name} />
  )
}

/** The star beside a name, so small that no line of the record grows. */
export const FollowStar = (props: { of: FollowTarget; name: string }) => (
  <span className={styles.star}>
    <FollowToggle {...props} />
  </span>
)
