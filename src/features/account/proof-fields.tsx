import { FormattedMessage, useIntl } from 'react-intl'
import { useSession } from '../../data/use-session.ts'
import { OneOf } from '../../ui/fields/choices.tsx'
import { PasswordField } from '../../ui/fields/text-field.tsx'
import { CodeField } from './code-field.tsx'
import { RULES } from './rules.ts'

/** How an account's owner proves their identity. */
export interface Proof {
  by: 'password' | 'captcha'
  password: string
  captcha: string
}

export const NO_PROOF: Proof = { by: 'password', password: '', captcha: '' }

/** Message ids of broken rules. */
export const checkProof = ({ by, password, captcha }: Proof): Record<string, string | null> =>
  by === 'password' ? { password: RULES.needed(password) } : { captcha: RULES.captcha(captcha) }

/** The fields of a proof in a request body. */
export const proofBody = ({ by, password, captcha }: Proof): { password: string } | { captcha: string } =>
  by === 'password' ? { password } : { captcha }

interface ProofFieldsProps {
  value: Proof
  error(key: 'password' | 'captcha'): string | undefined
  onChange<Key extends keyof Proof>(key: Key, value: Proof[Key]): void
}

/** Asks for the password, or for a code that is sent to the account's phone. */
export function ProofFields({ value, error, onChange }: ProofFieldsProps) {
  const intl = useIntl()
  const account = useSession()
  return (
    <>
      <OneOf
        legend={intl.formatMessage({ id: 'proof.legend' })}
        value={value.by}
        choices={(['password', 'captcha'] as const).map((by) => ({
          value: by,
          label: intl.formatMessage({ id: `proof.${by}` }),
        }))}
        onChange={(by) => onChange('by', by as Proof['by'])}
      />
      {value.by === 'password' ? (
        <PasswordField
          label={<FormattedMessage id="form.password" />}
          value={value.password}
          error={error('password')}
          autoComplete="current-password"
          onChange={(password) => onChange('password', password)}
        />
      ) : (
        <CodeField
          mobile={account.data?.phone ?? ''}
          purpose="login"
          value={value.captcha}
          error={error('captcha')}
          onChange={(captcha) => onChange('captcha', captcha)}
        />
      )}
    </>
  )
}
