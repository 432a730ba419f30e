import { useQuery } from '@tanstack/react-query'
import { FormattedMessage } from 'react-intl'
import { queryModelCard } from '../../../contract/api/model.ts'
import { seasonLabel } from '../../../domain/region.ts'
import { queryFor } from '../../data/client/call.ts'
import { useToken } from '../../data/client/session.ts'
import { useRegion } from '../../data/use-region.ts'
import { useIsVip } from '../../data/use-session.ts'
import { ExoticRecordTables } from '../../features/model/exotic-record.tsx'
import { ExtraTexts } from '../../i18n/extra-texts.tsx'
import { Small } from '../../ui/layout.tsx'
import { ErrorNotice, Panel, Skeleton } from '../../ui/panel.tsx'

/** The model card's record of a model's combinations, for VIPs; of whole seasons, whatever is selected. */
export function CombinationsPanel({ model }: { model: string }) {
  const { region } = useRegion()
  const isVip = useIsVip()
  const token = useToken()
  const answer = useQuery({
    ...queryFor(queryModelCard, isVip && region ? { countryRegionId: region.id } : null, token),
    staleTime: 60_000,
    retry: 1,
  })
  if (answer.error && answer.data === undefined)
    return <ErrorNotice error={answer.error} onRetry={() => void answer.refetch()} />
  const record = answer.data?.card.exotics.find((each) => each.model === model)?.record
  if (record === undefined) return null
  return (
    <ExtraTexts part="card" waiting={<Skeleton height={280} />}>
      <Panel id="combinations" title={<FormattedMessage id="model.exotics" />}>
        <Small text="model.wholeSeasons" />
        <ExoticRecordTables
          model={model}
          record={record}
          seasonName={(season) => seasonLabel(region?.seasonStartMonth ?? 1, season)}
        />
      </Panel>
    </ExtraTexts>
  )
}
