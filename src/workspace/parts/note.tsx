import { FormattedMessage } from 'react-intl'
import panelStyles from './panel.module.css'

interface NoteProps {
  /** Message id of what is said, and the message's values. */
  text: string
  values?: Readonly<Record<string, string | number>>
}

/** What explains a panel, in a line of its own. */
export const Note = ({ text, values }: NoteProps) => (
  <p className={panelStyles.note}>
    <FormattedMessage id={text} values={values} />
  </p>
)
