import { Info } from 'lucide-react'
import { FormattedMessage } from 'react-intl'
import { Link } from 'react-router-dom'
import type { HelpTopic } from './help-topics.ts'
import styles from './help-link.module.css'

interface HelpLinkProps {
  topic: HelpTopic
  /** Message id of the link's text, in the messages of the screen that it is on. */
  text: string
}

/** Link to the help page of a screen or panel. */
export const HelpLink = ({ topic, text }: HelpLinkProps) => (
  <Link className={styles.link} to={`/pages/help/${topic}`}>
    <Info aria-hidden="true" size={16} />
    <FormattedMessage id={text} />
  </Link>
)
