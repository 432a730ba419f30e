import { PartyPopper } from 'lucide-react'
import { FormattedMessage } from 'react-intl'
import { useSearchParams } from 'react-router-dom'
import { backPath } from '../../data/login-path.ts'
import { useSession } from '../../data/use-session.ts'
import { LinkButton, Outcome } from '../../ui/layout.tsx'

/** Shown after registration: what the new account includes. */
export function RegisterResultScreen() {
  const [params] = useSearchParams()
  const { data } = useSession()
  const back = params.get('back')
  return (
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
  )
}
