import { useMemo } from 'react'
import { useIntl, type IntlShape } from 'react-intl'
import type { Dimension, Model, Scalar } from '../../../analytics/model.ts'
import { NO_OWN_VALUE } from '../../../analytics/own-slots.ts'
import { PREDICTIONS } from '../../../analytics/predictions.ts'
import { MARKET_MODEL } from '../../../contract/model-ids.ts'
import { regionRules, seasonLabel } from '../../../domain/region.ts'
import { tuningSeasons } from '../../../domain/tuning.ts'
import type { AnswerRow } from '../../../analytics/cells.ts'
import { useOwnSlots } from '../../data/analytics/own-rows.ts'
import { useRegion } from '../../data/use-region.ts'
import { useFormat, type Format } from '../../i18n/format.ts'
import type { Language } from '../../../domain/languages.ts'
import { useLanguage } from '../../i18n/language-provider.tsx'
import { distanceText, weightText } from '../../i18n/measures.ts'
import { localName } from '../../i18n/names.ts'
import { raceClassText } from '../../i18n/race-words.ts'
import { useWord, type Word } from '../../i18n/use-word.ts'
import { dimensionOf } from '../../../analytics/view/dimension-of.ts'
import { ownNumber } from './measure-text.ts'

interface Words {
  /** For the classes of races. */
  intl: IntlShape
  word: Word
  format: Format
  language: Language
  /** Of the region. */
  code: string
  season(season: number): string
  /** A band of one of the user's own columns. */
  ownBand(dim: string, band: number): string
}

const metresText = ({ word, format }: Words, metres: number): string =>
  word('record.metres', { metres: format.integer(metres) })
const poundsText = ({ word, format }: Words, pounds: number): string =>
  word('race.pounds', { pounds: format.integer(pounds) })

/** How values are shown, for each display but `words`; text is shown as it is. */
const DISPLAYS: Partial<
  Record<Dimension['display'], (words: Words, number: number, value: Scalar) => string>
> = {
  integer: ({ format }, number) => format.integer(number),
  decimal: ({ format }, number) => format.decimal(number, 2),
  day: ({ format }, _, value) => format.day(String(value)),
  meeting: ({ format }, _, value) => format.day(String(value).slice(0, 10)),
  month: ({ format }, _, value) => format.month(String(value)),
  season: ({ season }, number) => season(number),
  'calendar-month': ({ word }, number) => word(`calendarMonth.${number}`),
  weekday: ({ word }, number) => word(`weekday.${number}`),
  metres: metresText,
  distance: metresText,
  pounds: poundsText,
  weight: poundsText,
  days: ({ word }, number) => word('record.days', { days: number }),
  percent: ({ format }, number) => format.percent(number, 0),
  change: ({ format }, number) => format.signedPercent(number, 0),
  odds: ({ format }, number) => format.odds(number),
  'yes-no': ({ word }, _, value) => word(value === true ? 'common.yes' : 'common.no'),
  class: ({ intl }, _, value) => raceClassText(intl, String(value)),
}

/** Measures that racing people of a region have in mind otherwise too; the edges of bands are without that. */
const BESIDE_HABITS: typeof DISPLAYS = {
  distance: (words, number) => distanceText(words, number, words.code),
  weight: (words, number) => weightText(words, number, words.code),
}

/** One value, or the edge of a band, as text in the user's language. */
function valueText(dimension: Dimension, value: Scalar, words: Words): string {
  if (dimension.display === 'words') return words.word(`${dimension.words}.${String(value)}`)
  return DISPLAYS[dimension.display]?.(words, Number(value), value) ?? String(value)
}

/**
 * A value of a dimension, or its band, as text in the user's language; names are taken from the row. `plain`:
 * the number, not its band.
 */
function dimensionText(model: Model, dim: string, row: AnswerRow, words: Words, plain = false): string {
  const { word } = words
  // A view's filter may have a dimension of the other subject.
  const dimension = model.dimensions[dim] ?? dimensionOf(dim)
  const value = row[dim] ?? null
  if (value === null) return word('dimension.unknown')
  if (dimension.names) return localName(words.language, row, dim)?.text ?? String(value)
  if (dimension.display === 'own-band') return words.ownBand(dim, Number(value))
  const { bins } = dimension
  if (!bins || plain)
    return (
      BESIDE_HABITS[dimension.display]?.(words, Number(value), value) ?? valueText(dimension, value, words)
    )
  const at = bins.indexOf(Number(value))
  const from = valueText(dimension, value, words)
  if (at === bins.length - 1) return word('record.bandFrom', { from })
  const to = valueText(dimension, bins[at + 1]!, words)
  return at === 0 ? word('record.bandBelow', { to }) : word('record.band', { from, to })
}

/** Formats the edges of bands on a scale in the user's language: the number, without a unit that is a word. */
export function useEdgeText(): (dim: string, edge: number) => string {
  const format = useFormat()
  return useMemo(
    () => (dim, edge) => {
      const { display } = dimensionOf(dim)
      if (display === 'percent') return format.percent(edge, 0)
      if (display === 'change') return format.signedPercent(edge, 0)
      return format.decimal(edge, String(edge).split('.')[1]?.length ?? 0)
    },
    [format],
  )
}

/**
 * Formats values of dimensions in the user's language. `model`: the model whose tuning seasons are marked.
 */
export function useDimensionText(
  model: string,
  of: Model = PREDICTIONS,
): (dim: string, row: AnswerRow, plain?: boolean) => string {
  const intl = useIntl()
  const word = useWord()
  const format = useFormat()
  const { language } = useLanguage()
  const { region } = useRegion()
  const own = useOwnSlots(region?.id ?? '')
  return useMemo(() => {
    const season = (year: number): string => {
      const label = seasonLabel(region?.seasonStartMonth ?? 9, year)
      return model !== MARKET_MODEL && region !== null && tuningSeasons(region.id).includes(year)
        ? word('record.tuningSeason', { season: label })
        : label
    }
    const ownBand = (dim: string, band: number): string => {
      if (band === NO_OWN_VALUE) return word('dimension.noValue')
      const edges = own?.slots.find(({ slot }) => slot === dim)?.edges
      const [from, to] = [edges?.[band], edges?.[band + 1]]
      return from === undefined || to === undefined
        ? String(band + 1)
        : word('record.band', { from: ownNumber(format, from), to: ownNumber(format, to) })
    }
    const code = regionRules(region?.id ?? '').code
    const words = { intl, word, format, language, code, season, ownBand }
    return (dim, row, plain) => dimensionText(of, dim, row, words, plain)
  }, [intl, word, format, language, region, own, model, of])
}
