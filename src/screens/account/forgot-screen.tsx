import { useIntl } from 'react-intl'
import { useLocation, useNavigate } from 'react-router-dom'
import { forgotPassword } from '../../../contract/api/account.ts'
import { storeToken } from '../../data/client/session.ts'
import { CodeField, Form, NewPassword, PhoneField, useForm, RULES } from '../../features/account/form.tsx'
import { showToast } from '../../ui/toast.tsx'
import { PageTitle, Stack } from '../../ui/layout.tsx'
import { call } from '../../data/client/call.ts'

export function ForgotScreen() {
  const intl = useIntl()
  const navigate = useNavigate()
  const { search } = useLocation()
  const { values, field, form } = useForm({
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
      <Form {...form} label="password.set">
        <PhoneField {...field('mobile')} />
        <CodeField mobile={values.mobile} purpose="reset" {...field('captcha')} />
        <NewPassword label="form.newPassword" field={field} />
      </Form>
    </Stack>
  )
}
