import { FormattedMessage } from 'react-intl'
import { Button } from '../../ui/button.tsx'
import { ErrorNotice } from '../../ui/panel.tsx'
import form from '../../ui/fields/form.module.css'

interface FormSubmitProps {
  /** The error of the whole form, as of `useForm`. */
  failed: unknown
  busy: boolean
  /** Message id of what the button does. */
  label: string
  primary?: boolean
  disabled?: boolean
}

/** The end of a form: why it was refused, and the button that sends it. */
export function FormSubmit({ failed, busy, label, primary = true, disabled = false }: FormSubmitProps) {
  return (
    <>
      {failed ? <ErrorNotice error={failed} /> : null}
      <Button primary={primary} type="submit" className={form.submit} disabled={busy || disabled}>
        <FormattedMessage id={busy ? 'form.sending' : label} />
      </Button>
    </>
  )
}
