import { FormattedMessage, useIntl } from 'react-intl'
import { withdrawalPage } from '../../../contract/api/trade.ts'
import { usePages } from '../../data/use-pages.ts'
import { useToken } from '../../data/client/session.ts'
import { useFormat } from '../../i18n/format.ts'
import { ErrorNotice, Skeleton } from '../../ui/panel.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { Badge, Entry, List, Small } from '../../ui/layout.tsx'
import texts from '../../ui/text.module.css'
import { BETWEEN_FACTS } from '../../i18n/between-facts.ts'

const TONES = { waiting: 'accent', paid: 'gain', refused: 'loss' } as const

/** Withdrawal requests and their status. */
export function Withdrawals() {
  const intl = useIntl()
  const format = useFormat()
  const pages = usePages(withdrawalPage, {}, intl.locale, useToken())
  if (pages.error) return <ErrorNotice error={pages.error} onRetry={pages.retry} />
  if (pages.isPending) return <Skeleton height={120} />
  if (pages.isEmpty) return <FormattedMessage id="withdrawal.none" tagName="p" />
  return (
    <>
      <List>
        {pages.rows.map((row) => (
          <Entry key={row.id}>
            <span>
              <strong>{format.hkd(row.amount)}</strong>
              <br />
              <Small as="span">
                {row.bank}
                {BETWEEN_FACTS}
                {format.card(row.cardNumber)}
                {BETWEEN_FACTS}
                <span className={texts.whole}>{format.instant(row.createTime)}</span>
              </Small>
            </span>
            <Badge tone={TONES[row.state]}>
              <FormattedMessage id={`withdrawalState.${row.state}`} />
            </Badge>
          </Entry>
        ))}
      </List>
      <LoadMore {...pages} />
    </>
  )
}
