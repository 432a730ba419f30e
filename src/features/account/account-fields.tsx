import type { ReactNode } from 'react'
import { FormattedMessage } from 'react-intl'
import { PasswordField, TextField } from '../../ui/fields/text-field.tsx'
import type { Field } from './use-form.ts'

export const PhoneField = (props: Field<string> & { hint?: ReactNode }) => (
  <TextField label={<FormattedMessage id="form.phone" />} type="tel" autoComplete="tel" {...props} />
)

export const NicknameField = (props: Field<string>) => (
  <TextField
    label={<FormattedMessage id="form.nickname" />}
    hint={<FormattedMessage id="field.nickname" />}
    autoComplete="nickname"
    maxLength={20}
    {...props}
  />
)

interface NewPasswordProps {
  /** Message id of the first field's label. */
  label: string
  field(key: 'password' | 'confirmPassword'): Field<string>
}

/** A new password with its rule, and its confirmation. */
export const NewPassword = ({ label, field }: NewPasswordProps) => (
  <>
    <PasswordField
      label={<FormattedMessage id={label} />}
      hint={<FormattedMessage id="field.password" />}
      autoComplete="new-password"
      {...field('password')}
    />
    <PasswordField
      label={<FormattedMessage id="form.confirmPassword" />}
      autoComplete="new-password"
      {...field('confirmPassword')}
    />
  </>
)
