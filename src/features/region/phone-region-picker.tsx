import { RegionPicker } from './region-picker.tsx'
import styles from './phone-region-picker.module.css'

/** The region picker of a screen's heading; on wider screens the header contains it. */
export const PhoneRegionPicker = () => (
  <span className={styles.onPhones}>
    <RegionPicker labelled={false} />
  </span>
)
