import { useIntl } from 'react-intl'
import { useLocation, useNavigate } from 'react-router-dom'
import { forgotPassword } from '../../../contract/api/account.ts'
import { storeToken } from '../../data/client/session.ts'
import { CodeField } from '../../features/account/code-field.tsx'
import { NewPassword } from '../../features/account/new-password.tsx'
import { FormSubmit } from '../../features/account/form-submit.tsx'
import { PhoneField } from '../../features/account/phone-field.tsx'
import { RULES } from '../../features/account/rules.ts'
import { useForm } from '../../features/account/use-form.ts'
import { showToast } from '../../ui/toast.tsx'
import form from '../../ui/fields/form.module.css'
import { PageTitle, Stack } from '../../ui/layout.tsx'
import { call } from '../../data/client/call.ts'

export function ForgotScreen() {
  const intl = useIntl()
  const navigate = useNavigate()
  const { search } = useLocation()
  const { values, set, error, failed, busy, submit } = useForm({
    initial: { mobile: '', captcha: '', password: '', confirmPassword: '' },
    check: (of) => ({
      mobile: RULES.phone(of.mobile),
      captcha: RULES.captcha(of.captcha),
      password: RULES.password(of.password),
      confirmPassword: of.password === of.confirmPassword ? null : 'field.passwordsDiffer',
    }),
    send: (of) => call(forgotPassword, of),
    onDone: () => {
      // Every session has ended, including the one on this device.
      storeToken(null)
      showToast(intl.formatMessage({ id: 'password.changed' }), 'good')
      void navigate(`/pages/login/login${search}`, { replace: true })
    },
  })
  return (
    <Stack narrow>
      <PageTitle title="title.forgot" lead="forgot.lead" />
      <form className={form.form} onSubmit={submit} noValidate>
        <PhoneField
          value={values.mobile}
          error={error('mobile')}
          onChange={(value) => set('mobile', value)}
        />
        <CodeField
          mobile={values.mobile}
          purpose="reset"
          value={values.captcha}
          error={error('captcha')}
          onChange={(value) => set('captcha', value)}
        />
        <NewPassword
          label="form.newPassword"
          password={values.password}
          confirmPassword={values.confirmPassword}
          error={error}
          onChange={set}
        />
        <FormSubmit failed={failed} busy={busy} label="password.set" />
      </form>
    </Stack>
  )
}
