import { useQuery, useQueryClient } from '@tanstack/react-query'
import { FormattedMessage, useIntl } from 'react-intl'
import type { AccountInfo } from '../../../contract/api/account.ts'
import { apply, applyStatus } from '../../../contract/api/trade.ts'
import { useToken } from '../../data/client/session.ts'
import { useSession } from '../../data/use-session.ts'
import { Form, PhoneField, useForm, RULES } from '../../features/account/form.tsx'
import { useFormat } from '../../i18n/format.ts'
import { ErrorNotice, Notice, Panel, Skeleton } from '../../ui/panel.tsx'
import { Facts, LinkButton, PageTitle, Stack } from '../../ui/layout.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { showToast } from '../../ui/toast.tsx'
import { keyOf, call, queryFor } from '../../data/client/call.ts'
import type { ResultOf } from '../../../contract/api/endpoint.ts'

type Application = ResultOf<typeof applyStatus>

export function ApplyScreen() {
  const account = useSession()
  const application = useQuery({ ...queryFor(applyStatus, {}, useToken()), retry: 1 })
  const of = application.data
  const failed = account.error ?? application.error
  return (
    <Stack narrow>
      <PageTitle title="title.apply" lead="apply.lead" />
      {failed ? <ErrorNotice error={failed} onRetry={() => void application.refetch()} /> : null}
      {of === undefined && !failed ? <Skeleton height={200} /> : null}
      {of ? <ApplicationState application={of} /> : null}
      <NextStep account={account.data} application={of} />
    </Stack>
  )
}

interface NextStepProps {
  account: AccountInfo | undefined
  /** `null` if there is none, `undefined` while that is unknown. */
  application: Application | undefined
}

/** The way on: to the promotion's page for a provider, or the form for whoever may apply. */
function NextStep({ account, application }: NextStepProps) {
  const status = application?.status
  if (account?.isPromotionServiceProvider !== 1 && status !== 'approved') {
    const mayApply = application === null || status === 'refused'
    return account && mayApply ? <ApplyForm account={account} /> : null
  }
  return (
    <>
      {status === 'approved' ? null : (
        <Notice>
          <FormattedMessage id="application.approved" tagName="p" />
        </Notice>
      )}
      <LinkButton to="/pages/user/promotionServiceProvider" text="title.promotion" />
    </>
  )
}

function ApplicationState({ application: of }: { application: NonNullable<Application> }) {
  const format = useFormat()
  return (
    <Panel title={<FormattedMessage id={`application.${of.status}`} />}>
      <Facts
        facts={[
          ['form.account', of.account],
          ['form.nickname', of.nickname],
          ['form.name', of.name],
          ['form.phone', of.phone],
          ['apply.requested', format.instant(of.createTime)],
          ['apply.decided', of.decideTime === null ? null : format.instant(of.decideTime)],
        ]}
      />
    </Panel>
  )
}

function ApplyForm({ account }: { account: AccountInfo }) {
  const intl = useIntl()
  const client = useQueryClient()
  const { field, form } = useForm({
    initial: {
      account: account.account,
      nickname: account.nickname,
      name: account.realName ?? '',
      phone: account.phone,
    },
    check: (of) => ({
      account: RULES.needed(of.account),
      nickname: RULES.nickname(of.nickname),
      name: RULES.needed(of.name),
      phone: RULES.phone(of.phone),
    }),
    send: (of) => call(apply, of),
    onDone: async () => {
      await client.invalidateQueries({ queryKey: keyOf(applyStatus) })
      showToast(intl.formatMessage({ id: 'apply.sent' }), 'good')
    },
  })
  return (
    <Form {...form} label="apply.send">
      <TextField label={<FormattedMessage id="form.account" />} {...field('account')} />
      <TextField label={<FormattedMessage id="form.nickname" />} maxLength={20} {...field('nickname')} />
      <TextField
        label={<FormattedMessage id="form.name" />}
        maxLength={40}
        autoComplete="name"
        {...field('name')}
      />
      <PhoneField {...field('phone')} />
    </Form>
  )
}
