import { Compass } from 'lucide-react'
import { FormattedMessage } from 'react-intl'
import { Empty } from '../../ui/panel.tsx'
import { LinkButton, Row } from '../../ui/layout.tsx'

const WAYS = [
  { to: '/', message: 'notFound.home' },
  { to: '/pages/race/racehome', message: 'nav.tips' },
  { to: '/pages/race/PredictionResults', message: 'nav.results' },
  { to: '/pages/race/WinLossRecord', message: 'nav.record' },
] as const

/** Shown for an unknown address, with links to likely targets. */
export const NotFoundScreen = () => (
  <Empty
    narrow
    icon={Compass}
    heading={<FormattedMessage id="notFound.title" tagName="h1" />}
    action={
      <Row as="nav">
        {WAYS.map(({ to, message }) => (
          <LinkButton key={to} quiet to={to} text={message} />
        ))}
      </Row>
    }
    text="notFound.message"
  />
)
