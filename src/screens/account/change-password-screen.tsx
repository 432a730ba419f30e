import { FormattedMessage, useIntl } from 'react-intl'
import { useNavigate } from 'react-router-dom'
import { changePassword } from '../../../contract/api/account.ts'
import { useSession } from '../../data/use-session.ts'
import { Form, NewPassword, useForm, RULES } from '../../features/account/form.tsx'
import { PasswordField } from '../../ui/fields/text-field.tsx'
import { showToast } from '../../ui/toast.tsx'
import { PageTitle, Stack } from '../../ui/layout.tsx'
import { call } from '../../data/client/call.ts'

export function ChangePasswordScreen() {
  const intl = useIntl()
  const navigate = useNavigate()
  const account = useSession()
  const { field, form } = useForm({
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
      <Form {...form} label="title.changePassword">
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
          autoComplete="current-password"
          {...field('oldPassword')}
        />
        <NewPassword label="form.newPassword" field={field} />
      </Form>
    </Stack>
  )
}
