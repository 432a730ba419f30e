import { Download } from 'lucide-react'
import { FormattedMessage } from 'react-intl'
import type { PictureFormat } from './picture.ts'
import styles from './plot.module.css'

/** Buttons that save the content above as a picture. */
export const PictureButtons = ({ onSave }: { onSave(format: PictureFormat): void }) => (
  <div className={styles.pictures}>
    <Download aria-hidden="true" size={14} />
    {(['png', 'svg'] as const).map((format) => (
      <button key={format} type="button" className={styles.picture} onClick={() => onSave(format)}>
        <FormattedMessage id={`chart.${format}`} />
      </button>
    ))}
  </div>
)
