import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { FormattedMessage, useIntl } from 'react-intl'
import { endOtherSessions, querySessions } from '../../../contract/api/session.ts'
import { useToken } from '../../data/client/session.ts'
import { useFormat } from '../../i18n/format.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorNotice, Panel, Skeleton, Notice } from '../../ui/panel.tsx'
import { showToast } from '../../ui/toast.tsx'
import { List, Row, Small } from '../../ui/layout.tsx'
import { keyOf, call, queryFor } from '../../data/client/call.ts'
import { useState } from 'react'
import {
  createAnalyticsToken,
  queryAnalyticsTokens,
  revokeAnalyticsToken,
} from '../../../contract/api/analytics.ts'
import { TextField } from '../../ui/fields/text-field.tsx'
import texts from '../../ui/text.module.css'

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
                    values={{ since: format.instant(signedInAt), used: format.instant(lastUsedAt) }}
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

interface NewTokenProps {
  name: string
  busy: boolean
  onName(name: string): void
  onMake(): void
}

/** Names a new token and makes it. */
const NewToken = ({ name, busy, onName, onMake }: NewTokenProps) => (
  <Row
    as="form"
    onSubmit={(event) => {
      event.preventDefault()
      if (name.trim() !== '') onMake()
    }}
  >
    <TextField
      label={<FormattedMessage id="analyticsTokens.name" />}
      value={name}
      maxLength={60}
      onChange={onName}
    />
    <Button type="submit" busy={busy} disabled={name.trim() === ''} text="analyticsTokens.make" />
  </Row>
)

/** Manages personal access tokens for the analytics API: created, shown once, revoked. */
export function AnalyticsTokens() {
  const format = useFormat()
  const client = useQueryClient()
  const [name, setName] = useState('')
  const tokens = useQuery({ ...queryFor(queryAnalyticsTokens, {}, useToken()), retry: 1 })
  const renew = () => client.invalidateQueries({ queryKey: keyOf(queryAnalyticsTokens) })
  const making = useMutation({
    mutationFn: () => call(createAnalyticsToken, { name: name.trim() }),
    onSuccess: async () => {
      setName('')
      await renew()
    },
  })
  const revoking = useMutation({
    mutationFn: (id: string) => call(revokeAnalyticsToken, { id }),
    onSuccess: renew,
  })
  const error = making.error ?? revoking.error
  return (
    <Panel title={<FormattedMessage id="analyticsTokens.title" />}>
      <p className={texts.soft}>
        <FormattedMessage id="analyticsTokens.lead" />
      </p>
      {error ? <ErrorNotice error={error} /> : null}
      <NewToken name={name} busy={making.isPending} onName={setName} onMake={() => making.mutate()} />
      {making.data ? (
        <Notice>
          <FormattedMessage id="analyticsTokens.once" tagName="p" />
          <code data-testid="analytics-token" style={{ overflowWrap: 'anywhere' }}>
            {making.data.token}
          </code>
        </Notice>
      ) : null}
      {tokens.error ? (
        <ErrorNotice error={tokens.error} onRetry={() => void tokens.refetch()} />
      ) : tokens.data ? (
        <List>
          {tokens.data.map(({ id, name: label, createdAt, lastUsedAt }) => (
            <Row key={id} as="li" spread>
              <span>
                <strong>{label}</strong>
                <br />
                <Small as="span">
                  <FormattedMessage
                    id={lastUsedAt === null ? 'analyticsTokens.neverUsed' : 'analyticsTokens.used'}
                    values={{
                      since: format.instant(createdAt),
                      used: lastUsedAt && format.instant(lastUsedAt),
                    }}
                  />
                </Small>
              </span>
              <Button
                busy={revoking.isPending}
                onClick={() => revoking.mutate(id)}
                text="analyticsTokens.revoke"
              />
            </Row>
          ))}
        </List>
      ) : (
        <Skeleton height={48} />
      )}
    </Panel>
  )
}
