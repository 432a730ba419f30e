import { MODELS } from '../models.ts'
import type { Dimension } from '../model.ts'
import { TRIMMED, TRIMMED_NAMES, type Trimmed } from '../trimmed.ts'

/** The figures that a question may ask for. */
export type Measure =
  | 'return'
  | 'hit_rate'
  | 'ae_market'
  | 'profit'
  | 'count'
  | 'ae'
  | 'impact'
  | 'mean_probability'
  | 'mean_odds'
  | 'closing_value'
  | 'brier'
  | 'log_loss'
  | 'place_rate'
  | 'place_ae_market'
  | 'paid_fair'
  | 'mean_win_dividend'
  | Trimmed

/** Texts of messages by language and key. */
export type QuestionTexts = Readonly<Record<string, Readonly<Record<string, string>>>>

/** The first words of the keys of messages that name something a question may be about. */
const FAMILIES = [
  'dimension',
  'workspace.measure',
  'gear',
  'weekday',
  'calendarMonth',
  ...Object.values(MODELS).flatMap(({ dimensions }) =>
    Object.values<Dimension>(dimensions).flatMap(({ words }) => (words === undefined ? [] : [words])),
  ),
]

/** The name of the returns without the largest wins, whose number is in it. */
const TRIMMED_NAME = 'workspace.measure.return_trimmed'

/**
 * Of the messages of a language those that name dimensions, measures and values. `write`: a message with its values, in that
 * language.
 */
export const questionTexts = (
  messages: Readonly<Record<string, string>>,
  write: (message: string, values: Readonly<Record<string, number>>) => string,
): Record<string, string> => ({
  ...Object.fromEntries(
    Object.entries(messages).filter(
      ([key, text]) =>
        FAMILIES.some((family) => key.startsWith(`${family}.`)) &&
        !text.includes('{') &&
        !['dimension.unknown', 'dimension.noValue'].includes(key),
    ),
  ),
  ...Object.fromEntries(
    TRIMMED_NAMES.map((name) => [
      `workspace.measure.${name}`,
      write(messages[TRIMMED_NAME]!, { wins: TRIMMED[name] }),
    ]),
  ),
})
