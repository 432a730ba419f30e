import { FormattedMessage } from 'react-intl'
import { seasonLabel } from '../../../domain/region.ts'
import { useModelCard } from '../../data/use-model-card.ts'
import { useRegion } from '../../data/use-region.ts'
import { ExoticRecordTables } from '../../features/model/exotic-record.tsx'
import { ExtraTexts } from '../../i18n/extra-texts.tsx'
import { Small } from '../../ui/layout.tsx'
import { ErrorNotice, Panel, Skeleton } from '../../ui/panel.tsx'

/** The model card's record of a model's combinations, for VIPs; of whole seasons, whatever is selected. */
export function CombinationsPanel({ model }: { model: string }) {
  const { region } = useRegion()
  const answer = useModelCard()
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
