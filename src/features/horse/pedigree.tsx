import { FormattedMessage } from 'react-intl'
import type { Horse } from '../../../contract/api/horse.ts'
import styles from './pedigree.module.css'

/** Sire, dam and the dam's sire as a tree. */
export function Pedigree({ horse }: { horse: Horse }) {
  const places = [
    ['self', 'horse.name', horse.name],
    ['sire', 'horse.sire', horse.sire],
    ['dam', 'horse.dam', horse.dam],
    ['damSire', 'horse.damSire', horse.maternalGrandsire],
  ] as const
  return (
    <dl className={styles.tree}>
      {places.map(([place, message, name]) => (
        <div key={place} className={styles[place]}>
          <FormattedMessage id={message} tagName="dt" />
          <dd>{name ?? <span className={styles.unknown}>–</span>}</dd>
        </div>
      ))}
    </dl>
  )
}
