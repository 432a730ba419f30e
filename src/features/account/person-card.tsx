import { UserRound } from 'lucide-react'
import { useState } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { Link } from 'react-router-dom'
import type { AccountInfo } from '../../../contract/api/account.ts'
import { useConfig } from '../../data/use-site-settings.ts'
import { useFormat } from '../../i18n/format.ts'
import { FactList, LinkButton, Row, Stack } from '../../ui/layout.tsx'
import { Notice } from '../../ui/panel.tsx'
import { AvatarEditor } from './avatar-editor.tsx'
import styles from './centre.module.css'

const DAY_MS = 86_400_000
/** So many days before its end, a membership is said to end. */
const SOON_DAYS = 7

/** Picture, names and membership. */
export function PersonCard({ account }: { account: AccountInfo }) {
  const format = useFormat()
  const [now] = useState(Date.now)
  const isVip = account.isVip === 1 && account.vipEndTime !== null
  const daysLeft = isVip ? Math.ceil((Date.parse(account.vipEndTime!) - now) / DAY_MS) : null
  return (
    <>
      <header className={styles.person}>
        <Row>
          <AvatarEditor url={account.headUrl} />
          <Stack tight>
            <h1>{account.nickname}</h1>
            <span>{account.account}</span>
          </Stack>
        </Row>
        <Row>
          {isVip ? (
            <span className={`${styles.badge} ${styles.vip}`}>
              <FormattedMessage
                id="centre.vip"
                values={{
                  kind: <FormattedMessage id={`customerType.${account.customerType}`} />,
                  until: format.instantDay(account.vipEndTime!),
                }}
              />
            </span>
          ) : account.isPromotionServiceProvider === 1 ? null : (
            <span className={styles.badge}>
              <FormattedMessage id="customerType.1" />
            </span>
          )}
          {account.isPromotionServiceProvider === 1 ? (
            <span className={styles.badge}>
              <FormattedMessage id="centre.provider" />
            </span>
          ) : null}
        </Row>
        {daysLeft === null ? null : <DaysLeft account={account} daysLeft={daysLeft} />}
        <LinkButton
          className={styles.toPlans}
          to="/pages/race/viplist"
          text={isVip ? 'vip.extend' : 'subscribe.toVip'}
        />
      </header>
      {daysLeft !== null && daysLeft <= SOON_DAYS ? (
        <Notice kind="warn">
          <FormattedMessage id="centre.vipEnds" values={{ days: daysLeft }} tagName="p" />
        </Notice>
      ) : null}
    </>
  )
}

/** How much of the membership is left, in days and as a bar. */
function DaysLeft({ account, daysLeft }: { account: AccountInfo; daysLeft: number }) {
  const intl = useIntl()
  const start = account.vipStartTime === null ? null : Date.parse(account.vipStartTime)
  const days = start === null ? null : Math.round((Date.parse(account.vipEndTime!) - start) / DAY_MS)
  const text = intl.formatMessage({ id: 'centre.daysLeft' }, { days: daysLeft })
  return (
    <div className={styles.days}>
      <span>{text}</span>
      {days === null || days <= 0 ? null : (
        <progress aria-label={text} max={days} value={Math.min(days, daysLeft)} />
      )}
    </div>
  )
}

interface AccountFiguresProps {
  account: AccountInfo
  /** Whether the site takes applications of promotion providers. */
  mayApply: boolean
}

/** The three figures of the account, each a link to where it is explained or used. */
export function AccountFigures({ account, mayApply }: AccountFiguresProps) {
  const intl = useIntl()
  const format = useFormat()
  const isProvider = account.isPromotionServiceProvider === 1
  const figures = [
    ['voucher.daily', format.integer(account.everyDayFreeNum), '/pages/user/vouchers'],
    ['voucher.noExpiry', format.integer(account.subscribeFreeNum), '/pages/user/vouchers'],
    [
      'person.income',
      format.hkd(account.income),
      isProvider ? '/pages/user/withdrawal' : mayApply ? '/pages/user/apply' : null,
    ],
  ] as const
  return (
    <FactList className={styles.figures}>
      {figures.map(([name, value, to]) => (
        <div key={name}>
          <FormattedMessage id={name} tagName="dt" />
          <dd>
            {to === null ? (
              value
            ) : (
              <Link to={to} aria-label={`${intl.formatMessage({ id: name })} ${value}`}>
                {value}
              </Link>
            )}
          </dd>
        </div>
      ))}
    </FactList>
  )
}

/** What the account of somebody who has just registered looks like, for visitors. */
export function NewAccount() {
  const format = useFormat()
  const config = useConfig().data
  const figures = [
    ['voucher.daily', config?.get('everyDayFreeNum')],
    ['voucher.noExpiry', config?.get('registerFreeNum')],
    ['person.income', format.hkdCents(0)],
  ] as const
  return (
    <>
      <div className={styles.person}>
        <Row>
          <span className={styles.noPicture}>
            <UserRound aria-hidden="true" size={32} />
          </span>
          <Stack tight>
            <strong className={styles.example}>
              <FormattedMessage id="centre.example" />
            </strong>
            <span className={styles.badge}>
              <FormattedMessage id="customerType.1" />
            </span>
          </Stack>
        </Row>
      </div>
      <FactList className={styles.figures}>
        {figures.map(([name, value]) => (
          <div key={name}>
            <FormattedMessage id={name} tagName="dt" />
            <dd>{value ?? '–'}</dd>
          </div>
        ))}
      </FactList>
    </>
  )
}
