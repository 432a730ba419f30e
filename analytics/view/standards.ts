import { isTrimmed } from '../trimmed.ts'
import type { ShownMeasure } from './panel-spec.ts'

/** What a figure is judged against: a number, or another measure of the same bets. `name`: the word for it. */
export interface Standard {
  value: number | string
  name: 'even' | 'random' | 'market' | 'model' | 'unmoved' | 'pace' | 'par'
}

const EVEN: Standard = { value: 0, name: 'even' }
const STANDARDS: Readonly<Partial<Record<ShownMeasure, Standard>>> = {
  return: EVEN,
  profit: EVEN,
  place_return: EVEN,
  place_profit: EVEN,
  favourite_return: EVEN,
  favourite_profit: EVEN,
  random_return: EVEN,
  random_profit: EVEN,
  meeting_profit: EVEN,
  hit_rate: { value: 'chance_rate', name: 'random' },
  impact: { value: 1, name: 'random' },
  r2: { value: 0, name: 'random' },
  ae_market: { value: 1, name: 'market' },
  place_ae_market: { value: 1, name: 'market' },
  ae: { value: 1, name: 'model' },
  contender_rate: { value: 'contender_chance', name: 'model' },
  closing_value: { value: 0, name: 'unmoved' },
  finishing_speed: { value: 1, name: 'pace' },
  early_seconds: { value: 0, name: 'par' },
  late_seconds: { value: 0, name: 'par' },
}

/** What a figure is judged against; `null` if only its size matters. */
export const standardOf = (measure: ShownMeasure): Standard | null =>
  isTrimmed(measure) ? EVEN : (STANDARDS[measure] ?? null)
