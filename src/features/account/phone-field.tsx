import type { ReactNode } from 'react'
import { FormattedMessage } from 'react-intl'
import { TextField } from '../../ui/fields/text-field.tsx'

interface PhoneFieldProps {
  value: string
  error: string | undefined
  hint?: ReactNode
  onChange(value: string): void
}

export const PhoneField = (props: PhoneFieldProps) => (
  <TextField label={<FormattedMessage id="form.phone" />} type="tel" autoComplete="tel" {...props} />
)
