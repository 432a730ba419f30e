import { Compass } from 'lucide-react'
import { FormattedMessage } from 'react-intl'
import { openSearch } from './behaviour/open-search.ts'
import { Button } from './button.tsx'
import { LinkButton, Row } from './layout.tsx'
import { Empty } from './panel.tsx'

const WAYS = [
  { to: '/', message: 'notFound.home' },
  { to: '/pages/race/racehome', message: 'nav.tips' },
  { to: '/pages/race/PredictionResults', message: 'nav.results' },
  { to: '/pages/race/WinLossRecord', message: 'nav.record' },
] as const

/**
 * States that what an address asks for does not exist, with the search and links to likely targets: trying again would
 * find nothing either. `title`: message id of what is missing.
 */
export const NotHere = ({ title }: { title: string }) => (
  <Empty
    narrow
    icon={Compass}
    heading={<FormattedMessage id={title} tagName="h1" />}
    action={
      <Row as="nav">
        <Button primary aria-haspopup="dialog" onClick={openSearch} text="palette.title" />
        {WAYS.map(({ to, message }) => (
          <LinkButton key={to} quiet to={to} text={message} />
        ))}
      </Row>
    }
    text="notFound.message"
  />
)
