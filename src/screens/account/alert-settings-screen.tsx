import { useMutation, useQuery } from '@tanstack/react-query'
import { FormattedMessage, useIntl } from 'react-intl'
import { queryAlertSettings, testAlert } from '../../../contract/api/alert.ts'
import { call, queryFor } from '../../data/client/call.ts'
import { useToken } from '../../data/client/session.ts'
import { AlertChoice } from '../../features/alerts/alert-choice.tsx'
import { EmailChannel } from './email-channel.tsx'
import { PushChannel } from '../../features/alerts/push-channel.tsx'
import { Button } from '../../ui/button.tsx'
import { PageTitle, Row, Stack, TextLink } from '../../ui/layout.tsx'
import { ErrorNotice, Panel, Skeleton } from '../../ui/panel.tsx'
import { showToast } from '../../ui/toast.tsx'
import texts from '../../ui/text.module.css'

/** Where, of what, when and in which language the customer is told. */
export function AlertSettingsScreen() {
  const intl = useIntl()
  const settings = useQuery(queryFor(queryAlertSettings, {}, useToken()))
  const testing = useMutation({
    mutationFn: () => call(testAlert, {}),
    onSuccess: () => showToast(intl.formatMessage({ id: 'alerts.testSent' }), 'good'),
  })
  const { data } = settings
  return (
    <Stack narrow>
      <PageTitle title="title.alertSettings">
        <p>
          <TextLink to="/pages/user/alerts" text="title.alerts" />
        </p>
      </PageTitle>
      {settings.error ? <ErrorNotice error={settings.error} onRetry={() => void settings.refetch()} /> : null}
      {settings.isPending ? <Skeleton height={420} /> : null}
      {data ? (
        <>
          <PushChannel pushKey={data.pushKey} />
          {data.emailOffered ? <EmailChannel email={data.email} /> : null}
          <Panel title={<FormattedMessage id="alerts.test" />}>
            <p className={texts.soft}>
              <FormattedMessage id="alerts.testHint" />
            </p>
            {testing.error ? <ErrorNotice error={testing.error} /> : null}
            <Row>
              <Button busy={testing.isPending} onClick={() => testing.mutate()} text="alerts.sendTest" />
            </Row>
          </Panel>
          <AlertChoice settings={data} />
        </>
      ) : null}
    </Stack>
  )
}
