import { FormattedMessage } from 'react-intl'
import type { Horse } from '../../../contract/api/horse.ts'
import styles from './pedigree.module.css'

/** Sire, dam and the dam's sire as a tree. */
export function Pedigree({ horse }: { horse: Horse }) {
  const unknown = <span className={styles.unknown}>–</span>
  return (
    <dl className={styles.tree}>
      <div className={styles.self}>
        <dt>
          <FormattedMessage id="horse.name" />
        </dt>
        <dd>{horse.name}</dd>
      </div>
      <div className={styles.sire}>
        <dt>
          <FormattedMessage id="horse.sire" />
        </dt>
        <dd>{horse.sire ?? unknown}</dd>
      </div>
      <div className={styles.dam}>
        <dt>
          <FormattedMessage id="horse.dam" />
        </dt>
        <dd>{horse.dam ?? unknown}</dd>
      </div>
      <div className={styles.damSire}>
        <dt>
          <FormattedMessage id="horse.damSire" />
        </dt>
        <dd>{horse.maternalGrandsire ?? unknown}</dd>
      </div>
    </dl>
  )
}
