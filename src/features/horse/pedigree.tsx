import { FormattedMessage } from 'react-intl'
import type { Horse } from '../../../contract/api/horse.ts'
import styles from './pedigree.module.css'

/** Sire, dam and the dam's sire as a tree. */
export function Pedigree({ horse }: { horse: Horse }) {
  const unknown = <span className={styles.unknown}>–</span>
  return (
    <dl className={styles.tree}>
      <div className={styles.self}>
        <FormattedMessage id="horse.name" tagName="dt" />
        <dd>{horse.name}</dd>
      </div>
      <div className={styles.sire}>
        <FormattedMessage id="horse.sire" tagName="dt" />
        <dd>{horse.sire ?? unknown}</dd>
      </div>
      <div className={styles.dam}>
        <FormattedMessage id="horse.dam" tagName="dt" />
        <dd>{horse.dam ?? unknown}</dd>
      </div>
      <div className={styles.damSire}>
        <FormattedMessage id="horse.damSire" tagName="dt" />
        <dd>{horse.maternalGrandsire ?? unknown}</dd>
      </div>
    </dl>
  )
}
