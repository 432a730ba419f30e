import { FormattedMessage } from 'react-intl'
import { TextField } from '../../ui/fields/text-field.tsx'

interface NicknameFieldProps {
  value: string
  error: string | undefined
  onChange(value: string): void
}

export const NicknameField = (props: NicknameFieldProps) => (
  <TextField
    label={<FormattedMessage id="form.nickname" />}
    hint={<FormattedMessage id="field.nickname" />}
    autoComplete="nickname"
    maxLength={20}
    {...props}
  />
)
