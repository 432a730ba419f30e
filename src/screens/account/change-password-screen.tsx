import { FormattedMessage, useIntl } from 'react-intl'
import { useNavigate } from 'react-router-dom'
import { changePassword } from '../../../contract/api/account.ts'
import { useSession } from '../../data/use-session.ts'
import { NewPassword } from '../../features/account/new-password.tsx'
import { FormSubmit } from '../../features/account/form-submit.tsx'
import { RULES } from '../../features/account/rules.ts'
import { useForm } from '../../features/account/use-form.ts'
import { PasswordField } from '../../ui/fields/text-field.tsx'
import { showToast } from '../../ui/toast.tsx'
import form from '../../ui/fields/form.module.css'
import { PageTitle, Stack } from '../../ui/layout.tsx'
import { call } from '../../data/client/call.ts'

export function ChangePasswordScreen() {
  const intl = useIntl()
  const navigate = useNavigate()
  const account = useSession()
  const { values, set, error, failed, busy, submit } = useForm({
    initial: { oldPassword: '', password: '', confirmPassword: '' },
    check: (of) => ({
      oldPassword: RULES.needed(of.oldPassword),
      password: RULES.password(of.password),
      confirmPassword: of.password === of.confirmPassword ? null : 'field.passwordsDiffer',
    }),
    send: (of) => call(changePassword, of),
    onDone: () => {
      showToast(intl.formatMessage({ id: 'password.changed' }), 'good')
      void navigate('/pages/user/fypeople')
    },
  })
  return (
    <Stack narrow>
      <PageTitle title="title.changePassword" lead="password.lead" />
      <form className={form.form} onSubmit={submit} noValidate>
        {/* Tells password managers whose password is changed. */}
        <input
          type="text"
          name="username"
          autoComplete="username"
          value={account.data?.account ?? ''}
          readOnly
          hidden
        />
        <PasswordField
          label={<FormattedMessage id="form.oldPassword" />}
          value={values.oldPassword}
          error={error('oldPassword')}
          autoComplete="current-password"
          onChange={(value) => set('oldPassword', value)}
        />
        <NewPassword
          label="form.newPassword"
          password={values.password}
          confirmPassword={values.confirmPassword}
          error={error}
          onChange={set}
        />
        <FormSubmit failed={failed} busy={busy} label="title.changePassword" />
      </form>
    </Stack>
  )
}
