import { FormattedMessage } from 'react-intl'
import { useConfig } from '../../data/use-site-settings.ts'
import { useSession } from '../../data/use-session.ts'
import { ShareButtons } from '../../features/share/share-buttons.tsx'
import { ErrorNotice, Panel, Skeleton } from '../../ui/panel.tsx'
import { PageTitle, Stack, TextLink } from '../../ui/layout.tsx'

export function ShareScreen() {
  const account = useSession()
  const reward = Number(useConfig().data?.get('shareReward') ?? 20)
  return (
    <Stack narrow>
      <PageTitle>
        <FormattedMessage id="title.share" tagName="h1" />
        <FormattedMessage id="home.shareReward" values={{ count: reward }} tagName="p" />
      </PageTitle>
      <Panel title={<FormattedMessage id="share.link" />}>
        <FormattedMessage id="share.reward" tagName="p" />
        {account.error ? <ErrorNotice error={account.error} onRetry={() => void account.refetch()} /> : null}
        {account.data ? <ShareButtons sharerId={account.data.id} /> : <Skeleton height={160} />}
      </Panel>
      <TextLink to="/pages/user/shareLog" text="title.shareLog" />
    </Stack>
  )
}
