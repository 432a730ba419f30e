import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { FormattedMessage, useIntl } from 'react-intl'
import { endOtherSessions, querySessions } from '../../../contract/api/session.ts'
import { useToken } from '../../data/client/session.ts'
import { useFormat } from '../../i18n/format.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorNotice, Panel, Skeleton } from '../../ui/panel.tsx'
import { showToast } from '../../ui/toast.tsx'
import { List, Row, Small } from '../../ui/layout.tsx'
import texts from '../../ui/text.module.css'
import { keyOf, call, queryFor } from '../../data/client/call.ts'

/** Lists the account's sessions and its recent security events, with a way to end the other sessions. */
export function Sessions() {
  const intl = useIntl()
  const format = useFormat()
  const client = useQueryClient()
  const answer = useQuery({ ...queryFor(querySessions, {}, useToken()), retry: 1 })
  const ending = useMutation({
    mutationFn: () => call(endOtherSessions, {}),
    onSuccess: async ({ ended }) => {
      showToast(intl.formatMessage({ id: 'sessions.ended' }, { count: ended }), 'good')
      await client.invalidateQueries({ queryKey: keyOf(querySessions) })
    },
  })
  const { data } = answer
  return (
    <>
      <Panel
        title={<FormattedMessage id="sessions.title" />}
        actions={
          <Button
            busy={ending.isPending}
            disabled={(data?.sessions.length ?? 0) < 2}
            onClick={() => ending.mutate()}
          >
            <FormattedMessage id="sessions.endOthers" />
          </Button>
        }
      >
        {ending.error ? <ErrorNotice error={ending.error} /> : null}
        {answer.error ? (
          <ErrorNotice error={answer.error} onRetry={() => void answer.refetch()} />
        ) : data ? (
          <List data-testid="sessions">
            {data.sessions.map(({ signedInAt, lastUsedAt, current }) => (
              <li key={`${signedInAt} ${lastUsedAt}`}>
                <FormattedMessage id={current ? 'sessions.this' : 'sessions.other'} tagName="strong" />
                <br />
                <Small as="span">
                  <FormattedMessage
                    id="sessions.since"
                    values={{
                      since: <span className={texts.whole}>{format.instant(signedInAt)}</span>,
                      used: <span className={texts.whole}>{format.instant(lastUsedAt)}</span>,
                    }}
                  />
                </Small>
              </li>
            ))}
          </List>
        ) : (
          <Skeleton height={80} />
        )}
      </Panel>
      {data && data.events.length > 0 ? (
        <Panel title={<FormattedMessage id="sessions.events" />}>
          <List>
            {data.events.map(({ kind, at }) => (
              <Row key={`${kind} ${at}`} as="li" spread>
                <FormattedMessage id={`securityEvent.${kind}`} />
                <Small as="span">{format.instant(at)}</Small>
              </Row>
            ))}
          </List>
        </Panel>
      ) : null}
    </>
  )
}
