import { useQuery } from '@tanstack/react-query'
import { Star } from 'lucide-react'
import { FormattedMessage, useIntl } from 'react-intl'
import { queryStable, type Stable } from '../../../contract/api/follow.ts'
import { queryFor } from '../../data/client/call.ts'
import { useToken } from '../../data/client/session.ts'
import { ComingEntries } from '../../features/stable/coming-entries.tsx'
import { MarkRecord } from '../../features/stable/mark-record.tsx'
import { FollowedHorses, FollowedPeople, FollowedRaces } from '../../features/stable/stable-lists.tsx'
import { Columns, LinkButton, PageTitle, Row, Stack, TextLink } from '../../ui/layout.tsx'
import { Empty, ErrorNotice, Panel, Skeleton } from '../../ui/panel.tsx'

/** Entries and results change while the page is open. */
const REFRESH_MS = 60_000

/** Of the page before it is known what is followed. */
const HEIGHT = 420

/** What the user follows: the next entries, the last results, the season's records, and the own notes. */
export function StableScreen() {
  const { locale } = useIntl()
  const token = useToken()
  const stable = useQuery({
    ...queryFor(queryStable, token === null ? null : {}, locale, token),
    refetchOnMount: 'always',
    refetchInterval: REFRESH_MS,
    retry: 1,
  })
  return (
    <Stack>
      <PageTitle title="title.stable" lead="stable.lead" />
      {stable.data ? (
        <Followed stable={stable.data} />
      ) : stable.error ? (
        <ErrorNotice error={stable.error} onRetry={() => void stable.refetch()} />
      ) : (
        <Skeleton height={HEIGHT} />
      )}
      <Panel title={<FormattedMessage id="marks.record" />}>
        <MarkRecord />
      </Panel>
    </Stack>
  )
}

function Followed({ stable }: { stable: Stable }) {
  if (stable.follows.length === 0)
    return (
      <Empty
        icon={Star}
        action={
          <Row>
            <LinkButton to="/pages/race/racehome" text="stable.toRaces" />
            <LinkButton quiet to="/pages/race/PredictionResults" text="stable.toResults" />
          </Row>
        }
        text="stable.empty"
      />
    )
  return (
    <>
      <Panel title={<FormattedMessage id="stable.coming" />}>
        <ComingEntries stable={stable} />
      </Panel>
      <Columns>
        <Panel
          title={<FormattedMessage id="stable.horses" />}
          actions={<TextLink to="/pages/user/notes" text="stable.notes" />}
        >
          <FollowedHorses stable={stable} />
        </Panel>
        <Stack>
          <Panel title={<FormattedMessage id="stable.people" />}>
            <FollowedPeople stable={stable} />
          </Panel>
          <Panel title={<FormattedMessage id="stable.races" />}>
            <FollowedRaces stable={stable} />
          </Panel>
        </Stack>
      </Columns>
    </>
  )
}
