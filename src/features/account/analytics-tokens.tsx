import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { FormattedMessage } from 'react-intl'
import {
  createAnalyticsToken,
  queryAnalyticsTokens,
  revokeAnalyticsToken,
} from '../../../contract/api/analytics.ts'
import { call, keyOf, queryFor } from '../../data/client/call.ts'
import { useToken } from '../../data/client/session.ts'
import { useFormat } from '../../i18n/format.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { List, Row, Small } from '../../ui/layout.tsx'
import { ErrorNotice, Notice, Panel, Skeleton } from '../../ui/panel.tsx'
import texts from '../../ui/text.module.css'

interface NewTokenProps {
  name: string
  busy: boolean
  onName(name: string): void
  onMake(): void
}

/** Names a new token and makes it. */
const NewToken = ({ name, busy, onName, onMake }: NewTokenProps) => (
  <form
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
      beside={<Button type="submit" busy={busy} disabled={name.trim() === ''} text="analyticsTokens.make" />}
    />
  </form>
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
                      since: <span className={texts.whole}>{format.instant(createdAt)}</span>,
                      used: lastUsedAt && <span className={texts.whole}>{format.instant(lastUsedAt)}</span>,
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
