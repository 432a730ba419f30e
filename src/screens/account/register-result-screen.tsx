import { PartyPopper } from 'lucide-react'
import { FormattedMessage, useIntl } from 'react-intl'
import { useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { editProfile } from '../../../contract/api/account.ts'
import { call } from '../../data/client/call.ts'
import { genderOf } from '../../data/gender.ts'
import { backPath } from '../../data/login-path.ts'
import { useRefreshAccount, useSession } from '../../data/use-session.ts'
import { Form, NicknameField, RULES, useForm } from '../../features/account/form.tsx'
import { OneOf } from '../../ui/fields/choices.tsx'
import styles from '../../ui/fields/form.module.css'
import { LinkButton, Outcome, Stack } from '../../ui/layout.tsx'
import { Panel } from '../../ui/panel.tsx'
import { showToast } from '../../ui/toast.tsx'

/** Shown after registration: what the new account includes, and what may be added to it. */
export function RegisterResultScreen() {
  const [params] = useSearchParams()
  const { data } = useSession()
  const [named, setNamed] = useState(false)
  const back = params.get('back')
  return (
    <Stack narrow>
      <Outcome>
        <PartyPopper aria-hidden="true" size={48} />
        <FormattedMessage id="title.registered" tagName="h1" />
        {data ? (
          <FormattedMessage
            id="register.vouchers"
            values={{ daily: data.everyDayFreeNum, noExpiry: data.subscribeFreeNum }}
            tagName="p"
          />
        ) : null}
        <LinkButton
          to={back === null ? '/pages/race/racehome' : backPath(back)}
          text={back === null ? 'pay.toTips' : 'common.goOn'}
        />
      </Outcome>
      {data && !named ? <Naming onDone={() => setNamed(true)} /> : null}
    </Stack>
  )
}

const GENDERS = [1, 2, 0] as const

/** Nickname and gender, which the registration does not ask for. */
function Naming({ onDone }: { onDone(): void }) {
  const intl = useIntl()
  const refresh = useRefreshAccount()
  const { values, set, field, form } = useForm({
    initial: { nickname: '', gender: genderOf(0) },
    check: ({ nickname }) => ({ nickname: RULES.nickname(nickname) }),
    send: (of) => call(editProfile, of),
    onDone: async () => {
      onDone()
      showToast(intl.formatMessage({ id: 'profile.saved' }), 'good')
      await refresh()
    },
  })
  return (
    <Panel title={<FormattedMessage id="register.naming" />}>
      <Form {...form} label="common.save" primary={false}>
        <NicknameField {...field('nickname')} />
        <div className={styles.field}>
          <span className={styles.hint} aria-hidden="true">
            <FormattedMessage id="form.gender" />
          </span>
          <OneOf
            legend={<FormattedMessage id="form.gender" />}
            value={String(values.gender)}
            choices={GENDERS.map((value) => ({
              value: String(value),
              label: intl.formatMessage({ id: `gender.${value}` }),
            }))}
            onChange={(value) => set('gender', genderOf(value))}
          />
        </div>
      </Form>
    </Panel>
  )
}
