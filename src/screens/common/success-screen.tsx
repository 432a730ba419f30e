import { CircleCheck } from 'lucide-react'
import { FormattedMessage } from 'react-intl'
import { useSearchParams } from 'react-router-dom'
import { wayBack } from '../../data/login-path.ts'
import { LinkButton, Outcome } from '../../ui/layout.tsx'
import texts from '../../ui/text.module.css'

/** Confirms a success; the address may name where to continue. */
export function SuccessScreen() {
  const [params] = useSearchParams()
  const back = wayBack(params.get('back'))
  return (
    <Outcome>
      <CircleCheck aria-hidden="true" size={52} className={texts.gain} />
      <FormattedMessage id="title.success" tagName="h1" />
      <LinkButton to={back ?? '/'} text={back === null ? 'notFound.home' : 'common.goOn'} />
    </Outcome>
  )
}
