import { FormattedMessage, useIntl } from 'react-intl'
import { useSession } from '../../data/use-session.ts'
import { Sessions } from '../../features/account/sessions.tsx'
import { useFormat } from '../../i18n/format.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { ErrorNotice, Panel, Skeleton } from '../../ui/panel.tsx'
import { Facts, Row, Stack, TextLink } from '../../ui/layout.tsx'

export function PersonalInfoScreen() {
  const intl = useIntl()
  const format = useFormat()
  const account = useSession()
  if (account.error) return <ErrorNotice error={account.error} onRetry={() => void account.refetch()} />
  if (!account.data) return <Skeleton height={320} />
  const of = account.data
  return (
    <Stack narrow>
      <FormattedMessage id="title.personalInfo" tagName="h1" />
      <Panel
        title={
          <Row as="span">
            <Avatar url={of.headUrl} size={40} />
            {of.nickname}
          </Row>
        }
        actions={<TextLink to="/pages/user/fyuseredit" text="title.editProfile" />}
      >
        <Facts
          knownOnly
          facts={[
            ['form.account', of.account],
            ['form.phone', of.phone],
            ['form.realName', of.realName],
            ['form.gender', intl.formatMessage({ id: `gender.${of.gender}` })],
            [
              'person.kind',
              intl.formatMessage({ id: `customerType.${of.isVip === 1 ? of.customerType : 1}` }),
            ],
            ['activation.from', of.vipStartTime === null ? null : format.instant(of.vipStartTime)],
            ['activation.to', of.vipEndTime === null ? null : format.instant(of.vipEndTime)],
            ['person.income', format.hkd(of.income)],
            ['person.settlement', of.settlementAccount === null ? null : format.card(of.settlementAccount)],
          ]}
        />
      </Panel>
      <Sessions />
    </Stack>
  )
}
