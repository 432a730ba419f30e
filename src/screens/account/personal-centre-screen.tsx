import { useQuery } from '@tanstack/react-query'
import {
  Bell,
  Bookmark,
  BookOpen,
  Code,
  CreditCard,
  Crown,
  Download,
  Gift,
  Handshake,
  IdCard,
  KeyRound,
  ListChecks,
  NotebookPen,
  LogOut,
  Mail,
  Pencil,
  Receipt,
  ScrollText,
  Star,
  Ticket,
  Trash2,
  Users,
  type LucideIcon,
} from 'lucide-react'
import { Suspense, useState } from 'react'
import { FormattedMessage } from 'react-intl'
import type { AccountInfo } from '../../../contract/api/account.ts'
import { applyStatus } from '../../../contract/api/trade.ts'
import { queryFor } from '../../data/client/call.ts'
import { isIos } from '../../data/client/device.ts'
import { useToken } from '../../data/client/session.ts'
import { useConfig } from '../../data/use-site-settings.ts'
import { useSession } from '../../data/use-session.ts'
import styles from '../../features/account/centre.module.css'
import { LastRaces } from '../../features/account/last-races.tsx'
import { Menu, type MenuItem } from '../../features/account/menu.tsx'
import { AccountFigures, NewAccount, PersonCard } from '../../features/account/person-card.tsx'
import { useSignOut } from '../../features/account/sign-out.tsx'
import { EngineReports } from '../../features/dataset/engine-reports.tsx'
import { EarningsSummary } from '../../features/promotion/earnings-summary.tsx'
import { DisplaySettings } from '../../features/region/display-settings.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { lazyOrNothing } from '../../ui/behaviour/lazy-or-nothing.ts'
import { Empty, ErrorNotice, Panel, Skeleton } from '../../ui/panel.tsx'
import { LinkButton, PageTitle, Small, Stack, TextLink } from '../../ui/layout.tsx'

const LatestNotes = lazyOrNothing(() => import('../../features/notes/latest-notes.tsx'))
// The code that finds matches is large.
const ViewMatches = lazyOrNothing(async () => ({
  default: (await import('../../workspace/saved/home-matches.tsx')).ViewMatches,
}))
/** Of three views or notes, in pixels. */
const PART_HEIGHT = 180

const NoViews = () => (
  <Empty
    icon={Bookmark}
    action={<LinkButton quiet to="/pages/race/WinLossRecord" text="home.toRecord" />}
    text="centre.noViews"
  />
)

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
      <Stack>
        <NewAccount />
        <ul className={styles.offers}>
          {OFFERS.map(([Icon, message]) => (
            <li key={message}>
              <Icon aria-hidden="true" size={20} />
              <FormattedMessage id={message} tagName="span" />
            </li>
          ))}
        </ul>
      </Stack>
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
  const [guide, setGuide] = useState(false)
  const { leave, busy: leaving, dialog: signOutDialog } = useSignOut()
  const application = useApplicationState(contact && !isProvider)
  const promotion: MenuItem[] = [
    { message: 'title.contact', Icon: Mail, to: '/pages/user/contactUs' },
    { message: 'centre.partner', Icon: BookOpen, onPress: () => setGuide(true) },
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
          <Panel title={<FormattedMessage id="centre.views" />}>
            <div className={styles.part}>
              <Suspense fallback={<Skeleton height={PART_HEIGHT} />}>
                <ViewMatches empty={<NoViews />} />
              </Suspense>
            </div>
          </Panel>
          <Panel
            title={<FormattedMessage id="title.notes" />}
            actions={<TextLink to="/pages/user/notes" text="common.viewAll" />}
          >
            <div className={styles.part}>
              <Suspense fallback={<Skeleton height={PART_HEIGHT} />}>
                <LatestNotes />
              </Suspense>
            </div>
          </Panel>
        </div>
        <div className={styles.groups}>
          <Menu
            title="centre.racing"
            items={[
              { message: 'title.stable', Icon: Star, to: '/pages/user/stable' },
              { message: 'title.alerts', Icon: Bell, to: '/pages/user/alerts' },
              { message: 'title.subscriptions', Icon: ListChecks, to: '/pages/race/Subscribe' },
              { message: 'title.vouchers', Icon: Ticket, to: '/pages/user/vouchers' },
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
            ]}
          />
          <Menu
            title="title.dataApi"
            items={[
              { message: 'person.download', Icon: Download, to: '/pages/user/dataApi' },
              { message: 'analyticsTokens.title', Icon: Code, to: '/pages/user/dataApi' },
            ]}
          />
          <section className={styles.display}>
            <FormattedMessage id="nav.settings" tagName="h2" />
            <div>
              <DisplaySettings />
            </div>
          </section>
        </div>
        <EngineReports />
        <Menu
          items={[
            { message: 'session.signOut', Icon: LogOut, onPress: leave, busy: leaving },
            { message: 'title.deleteAccount', Icon: Trash2, to: '/pages/user/delete', danger: true },
          ]}
        />
      </Stack>
      <PartnerGuide open={guide} onClose={() => setGuide(false)} />
      {signOutDialog}
    </div>
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
