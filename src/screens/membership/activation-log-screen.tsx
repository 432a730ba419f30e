import { Crown } from 'lucide-react'
import { FormattedMessage, useIntl } from 'react-intl'
import { isIos } from '../../data/client/device.ts'
import { vipActivationLog } from '../../../contract/api/trade.ts'
import { useToken } from '../../data/client/session.ts'
import { usePages } from '../../data/use-pages.ts'
import { useFormat } from '../../i18n/format.ts'
import { Empty, ErrorNotice, Skeleton } from '../../ui/panel.tsx'
import { Badge, Card, Facts, LinkButton, List, Row, Stack } from '../../ui/layout.tsx'
import { LoadMore } from '../../ui/load-more.tsx'

/** Periods of VIP; not shown on iOS (specification section 6). */
export function ActivationLogScreen() {
  const intl = useIntl()
  const format = useFormat()
  const hidden = isIos()
  const pages = usePages(vipActivationLog, hidden ? null : {}, intl.locale, useToken())
  if (hidden) return <Empty text="activation.ios" />
  return (
    <Stack narrow>
      <FormattedMessage id="title.activations" tagName="h1" />
      {pages.error ? <ErrorNotice error={pages.error} onRetry={pages.retry} /> : null}
      {pages.isPending ? <Skeleton height={200} /> : null}
      {pages.isEmpty ? (
        <Empty
          icon={Crown}
          action={<LinkButton to="/pages/race/viplist" text="order.toPlans" />}
          text="activation.none"
        />
      ) : null}
      <List>
        {pages.rows.map((row) => (
          <Card key={row.id}>
            <Row spread>
              <FormattedMessage id={`customerType.${row.customerType}`} tagName="strong" />
              {row.cancelled ? (
                <Badge tone="loss">
                  <FormattedMessage id="activation.cancelled" />
                </Badge>
              ) : null}
            </Row>
            <Facts
              facts={[
                ['activation.date', format.instant(row.activationDate)],
                ['activation.from', format.instant(row.vipStartTime)],
                ['activation.to', format.instant(row.vipEndTime)],
                ['vip.length', intl.formatMessage({ id: 'vip.months' }, { months: row.length })],
              ]}
            />
          </Card>
        ))}
      </List>
      {pages.rows.length > 0 ? <LoadMore {...pages} /> : null}
    </Stack>
  )
}
