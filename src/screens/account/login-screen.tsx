import { useState } from 'react'
import { FormattedMessage } from 'react-intl'
import { Navigate, useSearchParams } from 'react-router-dom'
import { phoneLogin, uniAppLogin } from '../../../contract/api/account.ts'
import { backPath } from '../../data/login-path.ts'
import { useToken } from '../../data/client/session.ts'
import { CodeField, Form, PhoneField, useForm, RULES } from '../../features/account/form.tsx'
import { useSignedIn } from '../../features/account/use-signed-in.ts'
import { OneOf } from '../../ui/fields/choices.tsx'
import { PasswordField, TextField } from '../../ui/fields/text-field.tsx'
import styles from '../../ui/fields/form.module.css'
import { PageTitle, Small, Stack, TextLink } from '../../ui/layout.tsx'
import { call } from '../../data/client/call.ts'
import { onDevice } from '../../storage/stored-text.ts'

const WAYS = ['password', 'code'] as const

export function LoginScreen() {
  const [params] = useSearchParams()
  const [way, setWay] = useState<(typeof WAYS)[number]>('password')
  const back = params.get('back')
  const onward = back === null ? '' : `?${new URLSearchParams({ back })}`
  // The forms navigate away when they succeed; a user who was already signed in is redirected.
  const [wasSignedIn] = useState(useToken() !== null)
  if (wasSignedIn) return <Navigate to={backPath(back)} replace />
  return (
    <Stack narrow>
      <PageTitle title="title.login" lead="login.lead" />
      <OneOf
        legend={<FormattedMessage id="login.way" />}
        value={way}
        choices={WAYS.map((value) => ({ value, label: <FormattedMessage id={`login.by.${value}`} /> }))}
        onChange={(value) => setWay(value as (typeof WAYS)[number])}
      />
      {onDevice.isBlocked() ? <Small text="login.notStored" /> : null}
      {way === 'password' ? <PasswordForm /> : <CodeForm />}
      <p className={styles.links}>
        <TextLink to={`/pages/login/fyregister${onward}`} text="login.register" />
        <TextLink to={`/pages/login/forgot${onward}`} text="title.forgot" />
      </p>
    </Stack>
  )
}

function PasswordForm() {
  const signedIn = useSignedIn()
  const { field, form } = useForm({
    initial: { username: '', password: '' },
    check: ({ username, password }) => ({
      username: RULES.needed(username),
      password: RULES.needed(password),
    }),
    send: (of) => call(uniAppLogin, { login: 'customer', ...of }),
    onDone: signedIn,
  })
  return (
    <Form {...form} label="session.signIn">
      <TextField
        label={<FormattedMessage id="form.username" />}
        autoComplete="username"
        {...field('username')}
      />
      <PasswordField
        label={<FormattedMessage id="form.password" />}
        autoComplete="current-password"
        {...field('password')}
      />
    </Form>
  )
}

function CodeForm() {
  const signedIn = useSignedIn()
  const { values, field, form } = useForm({
    initial: { mobile: '', captcha: '' },
    check: ({ mobile, captcha }) => ({ mobile: RULES.phone(mobile), captcha: RULES.captcha(captcha) }),
    send: (of) => call(phoneLogin, of),
    onDone: signedIn,
  })
  return (
    <Form {...form} label="session.signIn">
      <PhoneField {...field('mobile')} />
      <CodeField mobile={values.mobile} purpose="login" {...field('captcha')} />
    </Form>
  )
}
