import { FormattedMessage } from 'react-intl'
import { Link } from 'react-router-dom'
import type { SiteAlert } from '../../../contract/api/alert.ts'
import { useFormat } from '../../i18n/format.ts'
import { Badge, Card, List, Row, Small } from '../../ui/layout.tsx'

/** Alerts, the newest first: each leads to its race. */
export function AlertList({ alerts }: { alerts: readonly SiteAlert[] }) {
  const format = useFormat()
  return (
    <List>
      {alerts.map(({ id, title, body, path, createdAt, read }) => (
        <Card key={id}>
          <Row spread>
            <Link to={path}>
              <strong>{title}</strong>
            </Link>
            {read ? null : (
              <Badge tone="accent">
                <FormattedMessage id="alerts.new" />
              </Badge>
            )}
          </Row>
          <Small>{body}</Small>
          <Small as="time" dateTime={createdAt}>
            {format.instant(createdAt)}
          </Small>
        </Card>
      ))}
    </List>
  )
}
