import { Star } from 'lucide-react'
import { FormattedMessage } from 'react-intl'
import { ExtraTexts } from '../../i18n/extra-texts.tsx'
import { Hidden } from '../../ui/panel.tsx'
import styles from './follow.module.css'

/** Marks what the user follows. */
export default function FollowedStar() {
  return (
    <ExtraTexts part="follow" waiting={null}>
      <Star aria-hidden="true" size={13} className={styles.star} />
      <Hidden>
        {' '}
        <FormattedMessage id="follow.followed" />
      </Hidden>
    </ExtraTexts>
  )
}
