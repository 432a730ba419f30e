import { Compass } from 'lucide-react'
import { FormattedMessage } from 'react-intl'
import { Link } from 'react-router-dom'
import layout from '../../ui/layout.module.css'

const WAYS = [
  { to: '/', message: 'notFound.home' },
  { to: '/pages/race/racehome', message: 'nav.tips' },
  { to: '/pages/race/PredictionResults', message: 'nav.results' },
  { to: '/pages/race/WinLossRecord', message: 'nav.record' },
] as const

/** Shown for an unknown address, with links to likely targets. */
export function NotFoundScreen() {
  return (
    <div className={`${layout.empty} ${layout.narrow}`}>
      <Compass aria-hidden="true" size={36} strokeWidth={1.4} />
      <h1>
        <FormattedMessage id="notFound.title" />
      </h1>
      <FormattedMessage id="notFound.message" tagName="p" />
      <nav className={layout.toolbar}>
        {WAYS.map(({ to, message }) => (
          <Link key={to} className={`${layout.linkButton} ${layout.quiet}`} to={to}>
            <FormattedMessage id={message} />
          </Link>
        ))}
      </nav>
    </div>
  )
}
