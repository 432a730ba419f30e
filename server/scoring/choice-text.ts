import { regionRules, seasonLabel } from '../../domain/region.ts'
import { LEAST_GAIN, type Choice, type Trial } from './choose-settings.ts'

/** A trial as one terminal line. */
export const trialLine = ({ name, value, logLoss, taken }: Trial): string =>
  `${name}${value === null ? '' : ` ${value}`}: log loss ${logLoss.toFixed(4)}${taken ? ', taken' : ''}`

/** A choice of settings as Markdown. */
export function choiceMarkdown(regionId: string, { seasons, races, trials, settings }: Choice): string {
  const { seasonStartMonth } = regionRules(regionId)
  const labels = seasons.map((season) => seasonLabel(seasonStartMonth, season))
  return [
    `Region ${regionId}, seasons ${labels.join(', ')}: ${races} races. A setting changes where the pooled log loss falls by at least ${LEAST_GAIN} nats a race.`,
    '',
    `| setting | value | log loss | ${labels.map((label) => `R² ${label}`).join(' | ')} | taken |`,
    `| --- | ---: | ---: | ${labels.map(() => '---:').join(' | ')} | --- |`,
    ...trials.map(
      ({ name, value, logLoss, r2, taken }) =>
        `| ${name} | ${value ?? ''} | ${logLoss.toFixed(4)} | ${r2.map((share) => share.toFixed(4)).join(' | ')} | ${taken ? 'yes' : ''} |`,
    ),
    '',
    '```json',
    JSON.stringify(
      { trees: settings.fit.boost.trees, ridge: settings.fit.ridge, memory: settings.memory },
      null,
      2,
    ),
    '```',
  ].join('\n')
}
