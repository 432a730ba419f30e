import { FormattedMessage } from 'react-intl'
import { useLastRecord } from '../../data/use-racing.ts'
import { TextLink } from '../../ui/layout.tsx'
import { ErrorNotice, Panel, Skeleton } from '../../ui/panel.tsx'
import { LastRecord } from './last-record.tsx'

interface LastResultsProps {
  /** Whether there is no coming race either: nothing is shown then instead of an empty list. */
  away: boolean
  onOpen(raceId: string): void
}

/** The results of the region's last two meetings, whenever they were. */
export function LastResults({ away, onOpen }: LastResultsProps) {
  const last = useLastRecord()
  if (away && last.data?.length === 0) return null
  return (
    <Panel
      title={<FormattedMessage id="home.lastRecord" />}
      actions={<TextLink to="/pages/race/WinLossRecord" text="home.toRecord" />}
    >
      {last.data ? (
        <LastRecord items={last.data} onOpen={onOpen} />
      ) : last.error ? (
        <ErrorNotice error={last.error} onRetry={() => void last.refetch()} />
      ) : (
        <Skeleton height={170} />
      )}
    </Panel>
  )
}
