import { FormattedMessage } from 'react-intl'
import { Link } from 'react-router-dom'
import { Notice } from '../../ui/panel.tsx'

export function NotFoundScreen() {
  return (
    <Notice kind="warn">
      <h1>
        <FormattedMessage id="notFound.title" />
      </h1>
      <Link to="/">
        <FormattedMessage id="notFound.home" />
      </Link>
    </Notice>
  )
}
