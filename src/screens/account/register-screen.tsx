import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { FormattedMessage } from 'react-intl'
import { useSearchParams } from 'react-router-dom'
import { isCustomerId } from '../../../domain/customer-id.ts'
import { queryInviter, register } from '../../../contract/api/account.ts'
import { forgetSharer, readSharer } from '../../data/client/device.ts'
import { isCode } from '../../data/client/errors.ts'
import { CodeField, Form, NewPassword, PhoneField, useForm, RULES } from '../../features/account/form.tsx'
import { useSignedIn } from '../../features/account/use-signed-in.ts'
import { Button } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/panel.tsx'
import { TextField, Tick } from '../../ui/fields/text-field.tsx'
import styles from '../../ui/fields/form.module.css'
import { PageTitle, Row, Stack, TextLink } from '../../ui/layout.tsx'
import { call, queryFor } from '../../data/client/call.ts'
import { FurlongError } from '../../../domain/errors.ts'

/** Until the customer gives a nickname, after the registration. */
const firstNickname = (): string => `Furlong ${String(Math.floor(Math.random() * 1e6)).padStart(6, '0')}`

export function RegisterScreen() {
  const [params] = useSearchParams()
  const back = params.get('back')
  const onward = back === null ? '' : `?${new URLSearchParams({ back })}`
  const signedIn = useSignedIn(`/pages/login/fyregisterResult${onward}`)
  const { values, set, field, form } = useForm({
    initial: {
      inviter: readSharer(),
      phone: '',
      captcha: '',
      password: '',
      confirmPassword: '',
      agreement: false,
    },
    check: (of) => ({
      phone: RULES.phone(of.phone),
      captcha: RULES.captcha(of.captcha),
      password: RULES.password(of.password),
      confirmPassword: of.password === of.confirmPassword ? null : 'field.passwordsDiffer',
      agreement: of.agreement ? null : 'field.agreement',
    }),
    send: ({ inviter, agreement, ...of }) => {
      if (!agreement) throw new FurlongError('bad-parameters', { reason: 'agreement' })
      const trimmed = inviter.trim()
      return call(register, {
        ...of,
        nickname: firstNickname(),
        gender: 0,
        agreement,
        ...(trimmed === '' ? {} : { inviter: trimmed }),
      })
    },
    onDone: (answer) => {
      forgetSharer()
      signedIn(answer)
    },
  })
  const withoutInviter = (): void => {
    forgetSharer()
    set('inviter', '')
  }
  return (
    <Stack narrow>
      <PageTitle title="title.register" lead="register.lead" />
      <Form
        {...form}
        label="session.register"
        below={
          <p className={styles.links}>
            <TextLink to={`/pages/login/login${onward}`} text="register.toLogin" />
          </p>
        }
      >
        <PhoneField hint={<FormattedMessage id="field.phone" />} {...field('phone')} />
        <CodeField mobile={values.phone} purpose="register" {...field('captcha')} />
        <NewPassword label="form.password" field={field} />
        <Inviter {...field('inviter')} onNobody={withoutInviter} />
        <Tick {...field('agreement')}>
          <Agreement />
        </Tick>
      </Form>
    </Stack>
  )
}

interface InviterProps {
  value: string
  error: string | undefined
  onChange(value: string): void
  /** Nobody invited the user, or somebody who has no account any more. */
  onNobody(): void
}

/**
 * Who invited the user. A share link contains an id, which means nothing to users: the inviter's name is shown instead,
 * if it can be fetched. Without a link, an invite code can be given by those who have one.
 */
function Inviter({ value, error, onChange, onNobody }: InviterProps) {
  const [open, setOpen] = useState(false)
  const isLink = isCustomerId(value)
  const inviter = useQuery({
    ...queryFor(queryInviter, isLink ? { id: value } : null),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const isNobodys = isLink && isCode(inviter.error, 'not-found')
  useEffect(() => {
    // A deleted inviter cannot be rewarded, and must not prevent the form from being submitted.
    if (isNobodys) onNobody()
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [isNobodys])
  if (isLink && inviter.data)
    return (
      <Row spread data-testid="inviter">
        <p>
          <FormattedMessage
            id="register.invitedBy"
            values={{ name: <strong>{inviter.data.nickname}</strong> }}
          />
        </p>
        <Button onClick={onNobody} text="register.notInvited" />
      </Row>
    )
  if (isLink && inviter.isPending) return <Skeleton height={44} />
  if (!open && value === '' && error === undefined)
    return (
      <Row>
        <Button onClick={() => setOpen(true)} text="register.haveCode" />
      </Row>
    )
  return (
    <TextField
      label={<FormattedMessage id="form.inviter" />}
      value={value}
      error={error}
      hint={<FormattedMessage id="register.inviterHint" />}
      maxLength={64}
      // Opened by a press, it is what is written next.
      // oxlint-disable-next-line jsx-a11y/no-autofocus
      autoFocus={open}
      onChange={onChange}
    />
  )
}

const Agreement = () => (
  <FormattedMessage
    id="register.agree"
    values={{
      terms: <TextLink key="terms" to="/pages/login/protocal" target="_blank" text="legal.terms" />,
      privacy: <TextLink key="privacy" to="/pages/login/protocal2" target="_blank" text="legal.privacy" />,
    }}
  />
)
