import { useQuery } from '@tanstack/react-query'
import {
  Bookmark,
  BookOpen,
  CreditCard,
  Crown,
  Gift,
  Handshake,
  IdCard,
  KeyRound,
  Languages,
  ListChecks,
  NotebookPen,
  LogOut,
  Mail,
  Pencil,
  Receipt,
  ScrollText,
  Ticket,
  Trash2,
  Users,
  type LucideIcon,
} from 'lucide-react'
import { useState } from 'react'
import { FormattedMessage } from 'react-intl'
import type { AccountInfo } from '../../../contract/api/account.ts'
import { applyStatus } from '../../../contract/api/trade.ts'
import { LANGUAGE_RULES } from '../../../domain/languages.ts'
import { queryFor } from '../../data/client/call.ts'
import { isIos } from '../../data/client/device.ts'
import { useToken } from '../../data/client/session.ts'
import { useConfig } from '../../data/use-site-settings.ts'
import { useSession } from '../../data/use-session.ts'
import styles from '../../features/account/centre.module.css'
import { LastRaces } from '../../features/account/last-races.tsx'
import { Menu, type MenuItem } from '../../features/account/menu.tsx'
import { AccountFigures, PersonCard } from '../../features/account/person-card.tsx'
import { useSignOut } from '../../features/account/sign-out.tsx'
import { EngineReports } from '../../features/dataset/engine-reports.tsx'
import { EarningsSummary } from '../../features/promotion/earnings-summary.tsx'
import { rememberChoice } from '../../i18n/language.ts'
import { useLanguage } from '../../i18n/language-provider.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorNotice, Panel, Skeleton } from '../../ui/panel.tsx'
import { LinkButton, PageTitle, Small, Stack, TextLink } from '../../ui/layout.tsx'

export function PersonalCentreScreen() {
  const signedIn = useToken() !== null
  const account = useSession()
  if (!signedIn) return <Welcome />
  return (
    <>
      {account.error ? <ErrorNotice error={account.error} onRetry={() => void account.refetch()} /> : null}
      {account.data ? <Centre account={account.data} /> : account.error ? null : <Skeleton height={420} />}
    </>
  )
}

const OFFERS: readonly [Icon: LucideIcon, message: string][] = [
  [Ticket, 'centre.offer.vouchers'],
  [NotebookPen, 'centre.offer.notes'],
  [Bookmark, 'centre.offer.views'],
]

/** For visitors: what an account gives, and links to register and sign in. */
const Welcome = () => (
  <Stack as="section" narrow>
    <PageTitle title="title.centre" lead="centre.visitor" />
    <Panel title={<FormattedMessage id="centre.offers" />}>
      <ul className={styles.offers}>
        {OFFERS.map(([Icon, message]) => (
          <li key={message}>
            <Icon aria-hidden="true" size={20} />
            <FormattedMessage id={message} tagName="span" />
          </li>
        ))}
      </ul>
    </Panel>
    <LinkButton to="/pages/login/fyregister" text="landing.join" />
    <LinkButton quiet to="/pages/login/login" text="session.signIn" />
    <Menu items={[{ message: 'title.vipList', Icon: Crown, to: '/pages/race/viplist' }]} />
    <EngineReports />
  </Stack>
)

/** The newest application to become a provider, of somebody who is none. */
function useApplicationState(wanted: boolean): string | undefined {
  const { data } = useQuery({ ...queryFor(applyStatus, wanted ? {} : null, useToken()), retry: false })
  return data && data.status !== 'approved' ? `application.${data.status}` : undefined
}

function Centre({ account }: { account: AccountInfo }) {
  const contact = useConfig().data?.get('showContactUs') === '1'
  const isProvider = account.isPromotionServiceProvider === 1
  const [dialog, setDialog] = useState<'language' | 'partner' | null>(null)
  const { leave, busy: leaving, dialog: signOutDialog } = useSignOut()
  const application = useApplicationState(contact && !isProvider)
  const promotion: MenuItem[] = [
    { message: 'title.contact', Icon: Mail, to: '/pages/user/contactUs' },
    { message: 'centre.partner', Icon: BookOpen, onPress: () => setDialog('partner') },
    isProvider
      ? { message: 'title.promotion', Icon: Users, to: '/pages/user/promotionServiceProvider' }
      : { message: 'title.apply', Icon: Handshake, to: '/pages/user/apply', note: application },
  ]
  return (
    <div className={styles.centre}>
      <Stack>
        <PersonCard account={account} />
        <AccountFigures account={account} mayApply={contact} />
        <Small>
          <FormattedMessage id="voucher.about" /> <TextLink to="/pages/user/share" text="title.share" />
        </Small>
      </Stack>
      <Stack>
        {isProvider ? <EarningsSummary /> : null}
        <LastRaces />
        <div className={styles.groups}>
          <Menu
            title="centre.racing"
            items={[
              { message: 'title.subscriptions', Icon: ListChecks, to: '/pages/race/Subscribe' },
              { message: 'title.vouchers', Icon: Ticket, to: '/pages/user/vouchers' },
              { message: 'title.notes', Icon: NotebookPen, to: '/pages/user/notes' },
            ]}
          />
          <Menu
            title="centre.membership"
            items={[
              { message: 'title.vipList', Icon: Crown, to: '/pages/race/viplist' },
              { message: 'title.orders', Icon: Receipt, to: '/pages/race/viporderlist' },
              ...(isIos()
                ? []
                : [{ message: 'title.activations', Icon: ScrollText, to: '/pages/race/vipactivationlog' }]),
            ]}
          />
          <Menu
            title="centre.sharing"
            items={[
              { message: 'title.share', Icon: Gift, to: '/pages/user/share' },
              { message: 'title.shareLog', Icon: ScrollText, to: '/pages/user/shareLog' },
              ...(contact ? promotion : []),
              ...(isProvider
                ? [{ message: 'title.bankCard', Icon: CreditCard, to: '/pages/user/bankCard' }]
                : []),
            ]}
          />
          <Menu
            title="centre.account"
            items={[
              { message: 'title.personalInfo', Icon: IdCard, to: '/pages/user/fyuserdetail' },
              { message: 'title.editProfile', Icon: Pencil, to: '/pages/user/fyuseredit' },
              { message: 'title.changePassword', Icon: KeyRound, to: '/pages/user/fychpwd' },
              { message: 'nav.language', Icon: Languages, onPress: () => setDialog('language') },
            ]}
          />
        </div>
        <EngineReports />
        <Menu
          items={[
            { message: 'session.signOut', Icon: LogOut, onPress: leave, busy: leaving },
            { message: 'title.deleteAccount', Icon: Trash2, to: '/pages/user/delete', danger: true },
          ]}
        />
      </Stack>
      <LanguageDialog open={dialog === 'language'} onClose={() => setDialog(null)} />
      <PartnerGuide open={dialog === 'partner'} onClose={() => setDialog(null)} />
      {signOutDialog}
    </div>
  )
}

function LanguageDialog({ open, onClose }: { open: boolean; onClose(): void }) {
  const { language } = useLanguage()
  return (
    <Dialog open={open} onClose={onClose} title={<FormattedMessage id="nav.language" />}>
      {LANGUAGE_RULES.map(({ id, name }) => (
        <Button
          key={id}
          primary={id === language}
          lang={id}
          onClick={() => {
            rememberChoice(id)
            // This screen reloads the page in the new language (specification section 4).
            globalThis.location.reload()
          }}
        >
          {name}
        </Button>
      ))}
    </Dialog>
  )
}

const STEPS = ['partner.1', 'partner.2', 'partner.3', 'partner.4'] as const

/** Explains promotion before the user applies. */
const PartnerGuide = ({ open, onClose }: { open: boolean; onClose(): void }) => (
  <Dialog
    open={open}
    onClose={onClose}
    title={<FormattedMessage id="centre.partner" />}
    actions={<LinkButton to="/pages/user/apply" text="title.apply" />}
  >
    <ol>
      {STEPS.map((id) => (
        <FormattedMessage key={id} id={id} tagName="li" />
      ))}
    </ol>
  </Dialog>
)
