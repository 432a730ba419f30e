import { CalendarCheck2, CalendarPlus, Star } from 'lucide-react'
import { useRef } from 'react'
import { useIntl } from 'react-intl'
import { Link, useLocation } from 'react-router-dom'
import { MAX_FOLLOWS } from '../../../contract/follow-limit.ts'
import { isCode } from '../../data/client/errors.ts'
import { useToken } from '../../data/client/session.ts'
import { loginPath } from '../../data/login-path.ts'
import { useFollowing, useIsFollowed, type FollowTarget } from '../../data/use-follows.ts'
import { ExtraTexts } from '../../i18n/extra-texts.tsx'
import { useFormat } from '../../i18n/format.ts'
import { Name } from '../../i18n/name.tsx'
import type { Language } from '../../../domain/languages.ts'
import { showToast, TOAST_MS } from '../../ui/toast.tsx'
import { useErrorText } from '../../ui/use-error-text.ts'
import styles from './follow.module.css'

export interface FollowButtonProps {
  of: FollowTarget
  /** What is followed, in the reader's language, and the language of the name if it may be another. */
  name: string
  nameLanguage?: Language | null
  /** Whether the name stands on the button. */
  named?: boolean
}

/** Follows a horse, a person, a race or a meeting with one tap, and ends that with another; visitors sign in first. */
export default function FollowButton(props: FollowButtonProps) {
  return (
    <ExtraTexts part="follow" waiting={<span className={styles.button} />}>
      <Toggle {...props} />
    </ExtraTexts>
  )
}

function Toggle({ of, name, nameLanguage = null, named = false }: FollowButtonProps) {
  const intl = useIntl()
  const format = useFormat()
  const errorText = useErrorText()
  const token = useToken()
  const { pathname, search } = useLocation()
  const isFollowed = useIsFollowed(of)
  // A second click may come before the first one has been rendered as pending.
  const busy = useRef(false)
  const following = useFollowing(of, (error) => {
    // The button sends nothing that is invalid: a refusal says that there is no room.
    const text = isCode(error, 'bad-parameters')
      ? intl.formatMessage({ id: 'follow.full' }, { most: format.integer(MAX_FOLLOWS) })
      : errorText(error)
    showToast(text, 'bad', TOAST_MS.long)
  })
  const label = intl.formatMessage({ id: 'follow.of' }, { name })
  // A race's page has a button for the race and one for its meeting, which look different.
  const Icon = of.kind !== 'meeting' ? Star : isFollowed ? CalendarCheck2 : CalendarPlus
  const look = {
    className: `${styles.button} ${named ? styles.named : ''} ${of.kind === 'meeting' ? styles.outlined : ''}`,
    'aria-label': label,
    children: (
      <>
        <Icon aria-hidden="true" size={18} />
        {named ? <Name language={nameLanguage}>{name}</Name> : null}
      </>
    ),
  }
  if (token === null)
    return (
      <Link
        {...look}
        to={loginPath(pathname + search)}
        title={intl.formatMessage({ id: 'follow.signIn' })}
        aria-description={intl.formatMessage({ id: 'follow.signIn' })}
      />
    )
  return (
    <button
      type="button"
      {...look}
      title={label}
      aria-pressed={isFollowed}
      onClick={() => {
        if (busy.current) return
        busy.current = true
        following.mutate(!isFollowed, {
          onSettled: () => {
            busy.current = false
          },
        })
      }}
    />
  )
}
