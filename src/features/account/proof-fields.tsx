import { FormattedMessage, useIntl } from 'react-intl'
import { useSession } from '../../data/use-session.ts'
import { OneOf } from '../../ui/fields/choices.tsx'
import { PasswordField } from '../../ui/fields/text-field.tsx'
import { CodeField, type Field, RULES } from './form.tsx'

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

/** Asks for the password, or for a code that is sent to the account's phone. */
export function ProofFields({ field }: { field<Key extends keyof Proof>(key: Key): Field<Proof[Key]> }) {
  const intl = useIntl()
  const account = useSession()
  const by = field('by')
  return (
    <>
      <OneOf
        legend={intl.formatMessage({ id: 'proof.legend' })}
        value={by.value}
        choices={(['password', 'captcha'] as const).map((value) => ({
          value,
          label: intl.formatMessage({ id: `proof.${value}` }),
        }))}
        onChange={(value) => by.onChange(value as Proof['by'])}
      />
      {by.value === 'password' ? (
        <PasswordField
          label={<FormattedMessage id="form.password" />}
          autoComplete="current-password"
          {...field('password')}
        />
      ) : (
        <CodeField mobile={account.data?.phone ?? ''} purpose="login" {...field('captcha')} />
      )}
    </>
  )
}
