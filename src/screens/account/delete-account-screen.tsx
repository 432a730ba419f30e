import { useState } from 'react'
import { FormattedMessage } from 'react-intl'
import { Navigate } from 'react-router-dom'
import { deleteAccount } from '../../../contract/api/account.ts'
import { loginPath } from '../../data/login-path.ts'
import { storeToken, useToken } from '../../data/client/session.ts'
import { Farewell } from '../../features/account/farewell.tsx'
import { Form, useForm, RULES } from '../../features/account/form.tsx'
import { Notice } from '../../ui/panel.tsx'
import { PasswordField, Tick } from '../../ui/fields/text-field.tsx'
import { Stack } from '../../ui/layout.tsx'
import { call } from '../../data/client/call.ts'

export function DeleteAccountScreen() {
  const token = useToken()
  const [deleted, setDeleted] = useState(false)
  const { field, form } = useForm({
    initial: { password: '', sure: false },
    check: ({ password, sure }) => ({
      password: RULES.needed(password),
      sure: sure ? null : 'delete.sureNeeded',
    }),
    send: ({ password }) => call(deleteAccount, { password }),
    onDone: () => {
      setDeleted(true)
      storeToken(null)
    },
  })
  if (deleted) return <Farewell deleted />
  if (token === null) return <Navigate to={loginPath('/pages/user/delete')} replace />
  return (
    <Stack narrow>
      <FormattedMessage id="title.deleteAccount" tagName="h1" />
      <Notice kind="warn">
        <FormattedMessage id="delete.hint" tagName="p" />
      </Notice>
      <Form {...form} label="title.deleteAccount" primary={false}>
        <PasswordField
          label={<FormattedMessage id="form.password" />}
          autoComplete="current-password"
          {...field('password')}
        />
        <Tick {...field('sure')}>
          <FormattedMessage id="delete.sure" />
        </Tick>
      </Form>
    </Stack>
  )
}
