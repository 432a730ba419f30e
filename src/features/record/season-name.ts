import { useIntl } from 'react-intl'
import { seasonLabel } from '../../../domain/region.ts'
import { tuningSeasons } from '../../../domain/tuning.ts'
import { useRegion } from '../../data/use-region.ts'

/** The market line's key in the dataset: it has no settings that were chosen. */
const MARKET_MODEL_KEY = 1

/** A season as people write it, marked where a model's settings were chosen on it. */
export function useSeasonName(modelKey: number): (season: number) => string {
  const intl = useIntl()
  const { region } = useRegion()
  return (season) => {
    const label = seasonLabel(region?.seasonStartMonth ?? 9, season)
    return modelKey !== MARKET_MODEL_KEY && region !== null && tuningSeasons(region.id).includes(season)
      ? intl.formatMessage({ id: 'record.tuningSeason' }, { season: label })
      : label
  }
}
