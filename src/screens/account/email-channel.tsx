import { useMutation, useQueryClient } from '@tanstack/react-query'
import { FormattedMessage } from 'react-intl'
import {
  addAlertEmail,
  queryAlertSettings,
  removeAlertEmail,
  type AlertSettings,
} from '../../../contract/api/alert.ts'
import { isEmailAddress } from '../../../domain/email-address.ts'
import { call, keyOf } from '../../data/client/call.ts'
import { Button } from '../../ui/button.tsx'
import { TextField, Tick } from '../../ui/fields/text-field.tsx'
import { Row } from '../../ui/layout.tsx'
import { ErrorNotice, Panel } from '../../ui/panel.tsx'
import texts from '../../ui/text.module.css'
import { Form, useForm } from '../../features/account/form.tsx'

/** Messages to an address: agreed to, confirmed by the link in the first message, and ended at any time. */
export function EmailChannel({ email }: { email: AlertSettings['email'] }) {
  const client = useQueryClient()
  const renew = () => client.invalidateQueries({ queryKey: keyOf(queryAlertSettings) })
  const removing = useMutation({ mutationFn: () => call(removeAlertEmail, {}), onSuccess: renew })
  return (
    <Panel title={<FormattedMessage id="alerts.email" />}>
      {removing.error ? <ErrorNotice error={removing.error} /> : null}
      {email === null ? (
        <NewAddress onDone={renew} />
      ) : (
        <>
          <p className={texts.soft}>
            <FormattedMessage
              id={email.confirmed ? 'alerts.email.confirmed' : 'alerts.email.waiting'}
              values={{ address: <strong key="address">{email.address}</strong> }}
            />
          </p>
          <Row>
            <Button busy={removing.isPending} onClick={() => removing.mutate()} text="alerts.email.remove" />
          </Row>
        </>
      )}
    </Panel>
  )
}

function NewAddress({ onDone }: { onDone(): Promise<void> }) {
  const { field, form } = useForm({
    initial: { address: '', agreed: false },
    check: ({ address, agreed }) => ({
      address: isEmailAddress(address.trim()) ? null : 'field.email',
      agreed: agreed ? null : 'field.required',
    }),
    send: ({ address }) => call(addAlertEmail, { address: address.trim(), agreed: true }),
    onDone,
  })
  return (
    <Form {...form} label="alerts.email.add" primary={false}>
      <TextField
        label={<FormattedMessage id="alerts.email.address" />}
        type="email"
        autoComplete="email"
        {...field('address')}
      />
      <Tick {...field('agreed')}>
        <FormattedMessage id="alerts.email.agree" />
      </Tick>
    </Form>
  )
}
