import {
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
} from 'lucide-react'
import { useState } from 'react'
import { FormattedMessage } from 'react-intl'
import type { AccountInfo } from '../../../contract/api/account.ts'
import { LANGUAGE_RULES } from '../../../domain/languages.ts'
import { isIos } from '../../data/client/device.ts'
import { useToken } from '../../data/client/session.ts'
import { useConfig } from '../../data/use-site-settings.ts'
import { useSession } from '../../data/use-session.ts'
import { AvatarEditor } from '../../features/account/avatar-editor.tsx'
import styles from '../../features/account/menu.module.css'
import { Menu, type MenuItem } from '../../features/account/menu.tsx'
import { useSignOut } from '../../features/account/sign-out.tsx'
import { EngineReports } from '../../features/dataset/engine-reports.tsx'
import { useFormat } from '../../i18n/format.ts'
import { rememberChoice } from '../../i18n/language.ts'
import { useLanguage } from '../../i18n/language-provider.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorNotice, Skeleton } from '../../ui/panel.tsx'
import { Facts, LinkButton, PageTitle, Stack } from '../../ui/layout.tsx'

export function PersonalCentreScreen() {
  const signedIn = useToken() !== null
  const account = useSession()
  if (!signedIn) return <Welcome />
  return (
    <Stack narrow>
      {account.error ? <ErrorNotice error={account.error} onRetry={() => void account.refetch()} /> : null}
      {account.data ? <Centre account={account.data} /> : account.error ? null : <Skeleton height={420} />}
    </Stack>
  )
}

/** For visitors: links to sign in and register. */
const Welcome = () => (
  <Stack as="section" narrow>
    <PageTitle title="title.centre" lead="centre.visitor" />
    <LinkButton to="/pages/login/login" text="session.signIn" />
    <LinkButton quiet to="/pages/login/fyregister" text="session.register" />
    <Menu items={[{ message: 'title.vipList', Icon: Crown, to: '/pages/race/viplist' }]} />
    <EngineReports />
  </Stack>
)

function Centre({ account }: { account: AccountInfo }) {
  const format = useFormat()
  const contact = useConfig().data?.get('showContactUs') === '1'
  const [dialog, setDialog] = useState<'language' | 'partner' | null>(null)
  const { leave, busy: leaving, dialog: signOutDialog } = useSignOut()
  const promotion: MenuItem[] = [
    { message: 'title.contact', Icon: Mail, to: '/pages/user/contactUs' },
    { message: 'centre.partner', Icon: BookOpen, onPress: () => setDialog('partner') },
    account.isPromotionServiceProvider === 1
      ? { message: 'title.promotion', Icon: Users, to: '/pages/user/promotionServiceProvider' }
      : { message: 'title.apply', Icon: Handshake, to: '/pages/user/apply' },
  ]
  return (
    <>
      <header className={styles.person}>
        <AvatarEditor url={account.headUrl} />
        <Stack tight>
          <h1>{account.nickname}</h1>
          <span>{account.account}</span>
          {account.isVip === 1 && account.vipEndTime !== null ? (
            <span className={styles.badge}>
              <FormattedMessage
                id="centre.vip"
                values={{
                  kind: <FormattedMessage id={`customerType.${account.customerType}`} />,
                  until: format.instantDay(account.vipEndTime),
                }}
              />
            </span>
          ) : (
            <FormattedMessage id="customerType.1" tagName="span" />
          )}
        </Stack>
      </header>
      <Facts
        className={styles.figures}
        facts={[
          ['voucher.daily', format.integer(account.everyDayFreeNum)],
          ['voucher.noExpiry', format.integer(account.subscribeFreeNum)],
          ['person.income', format.hkd(account.income)],
        ]}
      />
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
          ...(account.isPromotionServiceProvider === 1
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
          { message: 'session.signOut', Icon: LogOut, onPress: leave, busy: leaving },
          { message: 'title.deleteAccount', Icon: Trash2, to: '/pages/user/delete', danger: true },
        ]}
      />
      <EngineReports />
      <LanguageDialog open={dialog === 'language'} onClose={() => setDialog(null)} />
      <PartnerGuide open={dialog === 'partner'} onClose={() => setDialog(null)} />
      {signOutDialog}
    </>
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
