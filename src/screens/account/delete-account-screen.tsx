import { useState } from 'react'
import { FormattedMessage } from 'react-intl'
import { Navigate } from 'react-router-dom'
import { deleteAccount } from '../../../contract/api/account.ts'
import { loginPath } from '../../data/login-path.ts'
import { storeToken, useToken } from '../../data/client/session.ts'
import { Farewell } from '../../features/account/farewell.tsx'
import { FormSubmit } from '../../features/account/form-submit.tsx'
import { RULES } from '../../features/account/rules.ts'
import { useForm } from '../../features/account/use-form.ts'
import { Notice } from '../../ui/panel.tsx'
import { PasswordField, Tick } from '../../ui/fields/text-field.tsx'
import form from '../../ui/fields/form.module.css'
import { Stack } from '../../ui/layout.tsx'
import { call } from '../../data/client/call.ts'

export function DeleteAccountScreen() {
  const token = useToken()
  const [deleted, setDeleted] = useState(false)
  const { values, set, error, failed, busy, submit } = useForm({
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
      <form className={form.form} onSubmit={submit} noValidate>
        <PasswordField
          label={<FormattedMessage id="form.password" />}
          value={values.password}
          error={error('password')}
          autoComplete="current-password"
          onChange={(value) => set('password', value)}
        />
        <Tick checked={values.sure} error={error('sure')} onChange={(value) => set('sure', value)}>
          <FormattedMessage id="delete.sure" />
        </Tick>
        <FormSubmit failed={failed} busy={busy} label="title.deleteAccount" primary={false} />
      </form>
    </Stack>
  )
}
