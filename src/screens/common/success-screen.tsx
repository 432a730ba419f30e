import { CircleCheck } from 'lucide-react'
import { FormattedMessage } from 'react-intl'
import { Link, useSearchParams } from 'react-router-dom'
import { wayBack } from '../../data/login-path.ts'
import outcome from '../../ui/outcome.module.css'
import layout from '../../ui/layout.module.css'

/** Confirms a success; the address may name where to continue. */
export function SuccessScreen() {
  const [params] = useSearchParams()
  const back = wayBack(params.get('back'))
  return (
    <section className={`${outcome.outcome} ${layout.narrow}`}>
      <CircleCheck aria-hidden="true" size={52} className={outcome.good} />
      <h1>
        <FormattedMessage id="title.success" />
      </h1>
      <Link className={layout.linkButton} to={back ?? '/'}>
        <FormattedMessage id={back === null ? 'notFound.home' : 'common.goOn'} />
      </Link>
    </section>
  )
}
