import { FormattedMessage } from 'react-intl'
import { PasswordField } from '../../ui/fields/text-field.tsx'

interface NewPasswordProps {
  label: string
  password: string
  confirmPassword: string
  error(key: 'password' | 'confirmPassword'): string | undefined
  onChange(key: 'password' | 'confirmPassword', value: string): void
}

/** A new password with its rule, and its confirmation. */
export function NewPassword({ label, password, confirmPassword, error, onChange }: NewPasswordProps) {
  return (
    <>
      <PasswordField
        label={<FormattedMessage id={label} />}
        value={password}
        error={error('password')}
        hint={<FormattedMessage id="field.password" />}
        autoComplete="new-password"
        onChange={(value) => onChange('password', value)}
      />
      <PasswordField
        label={<FormattedMessage id="form.confirmPassword" />}
        value={confirmPassword}
        error={error('confirmPassword')}
        autoComplete="new-password"
        onChange={(value) => onChange('confirmPassword', value)}
      />
    </>
  )
}
