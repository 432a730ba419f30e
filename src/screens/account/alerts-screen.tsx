import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Bell } from 'lucide-react'
import { useIntl } from 'react-intl'
import { markAlertsRead, queryAlerts, queryUnreadAlerts } from '../../../contract/api/alert.ts'
import { call, keyOf, queryFor } from '../../data/client/call.ts'
import { useToken } from '../../data/client/session.ts'
import { AlertList } from '../../features/alerts/alert-list.tsx'
import { Button } from '../../ui/button.tsx'
import { LinkButton, PageTitle, Row, Stack } from '../../ui/layout.tsx'
import { Empty, ErrorNotice, Skeleton } from '../../ui/panel.tsx'

/** What happened to the horses, people, races and meetings that the customer follows. */
export function AlertsScreen() {
  const { locale } = useIntl()
  const client = useQueryClient()
  const token = useToken()
  // The server writes the texts, in the language of the request.
  const query = queryFor(queryAlerts, {}, token)
  const alerts = useQuery({ ...query, queryKey: [...query.queryKey, locale] })
  const reading = useMutation({
    mutationFn: () => call(markAlertsRead, {}),
    onSuccess: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: keyOf(queryAlerts) }),
        client.invalidateQueries({ queryKey: keyOf(queryUnreadAlerts) }),
      ]),
  })
  const error = alerts.error ?? reading.error
  return (
    <Stack narrow>
      <PageTitle title="title.alerts" lead="alerts.lead" />
      <Row spread>
        <LinkButton quiet to="/pages/user/alertSettings" text="title.alertSettings" />
        {alerts.data && alerts.data.unread > 0 ? (
          <Button busy={reading.isPending} onClick={() => reading.mutate()} text="alerts.markRead" />
        ) : null}
      </Row>
      {error ? <ErrorNotice error={error} onRetry={() => void alerts.refetch()} /> : null}
      {alerts.isPending ? <Skeleton height={260} /> : null}
      {alerts.data?.alerts.length === 0 ? (
        <Empty
          icon={Bell}
          action={<LinkButton to="/pages/race/racehome" text="pay.toTips" />}
          text="alerts.empty"
        />
      ) : null}
      {alerts.data ? <AlertList alerts={alerts.data.alerts} /> : null}
    </Stack>
  )
}
