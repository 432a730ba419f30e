import { backtestLines } from './backtest-text.ts'
import type { ModelCard } from './model-card.ts'
import { serverMessage } from '../process/messages.ts'

const pct = (share: number): string => `${(100 * share).toFixed(1)}%`

/** The model card as Markdown. */
export function cardMarkdown(card: ModelCard): string {
  const { data, settings } = card
  const lines = [
    `# Model card: region ${card.regionId}`,
    '',
    'Analysis data and AI scoring only, not betting advice. 18+.',
    '',
    `Data: ${data.races} races and ${data.starters} starters from ${data.from} to ${data.to}. Each season was predicted by a version that learnt from earlier seasons only; all figures below are out of sample, but that the settings were chosen on the seasons marked so, which are in no pooled figure.`,
    '',
    'Cautious and upset guard choices: `market-baseline` and `blended` make them from the odds last seen before the prediction, in a backtest the final odds; `fundamental` makes them from itself alone (its own first choice as the favourite, and the least probable choice of at least half the top probability).',
    '',
    '## Versions',
    '',
    '| season | learnt from | races | SHA-256 of the file |',
    '| --- | --- | --- | --- |',
    ...card.versions.map(
      ({ season, trainedFrom, trainedTo, races, sha256 }) =>
        `| ${season} | ${trainedFrom} to ${trainedTo} | ${races} | \`${sha256}\` |`,
    ),
    '',
    '## How it did',
    '',
    '```',
    ...backtestLines(card),
    '```',
    '',
    '## Calibration',
    ...card.calibration.flatMap(({ model, bins }) => [
      '',
      `${model}:`,
      '',
      '| given | starters | mean | won | 95% |',
      '| --- | --- | --- | --- | --- |',
      ...bins.map(
        ({ from, to, starters, mean, observed, interval }) =>
          `| ${pct(from)}–${pct(to)} | ${starters} | ${pct(mean)} | ${pct(observed)} | ${interval ? `${pct(interval.low)}–${pct(interval.high)}` : ''} |`,
      ),
    ]),
    '',
    '## Features of `fundamental`',
    '',
    settings === null
      ? 'Nothing was learnt yet.'
      : `Conditional logit of the first two over standardised features against the race's mean, ${settings.trees === 0 ? 'no boosted trees' : `and ${settings.trees} boosted trees on what is left`}; temperature ${settings.temperature.toFixed(3)}. Market power ${settings.power.toFixed(3)}${settings.blend === null ? '' : `; blend: ${settings.blend.fundamental.toFixed(3)} fundamental, ${settings.blend.market.toFixed(3)} market`}.`,
    '',
    'Weights and t values are in sample: of the newest version, on the races that it was fitted to.',
    '',
    '| feature | what | unit | why | source | weight | t |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...card.features.map(
      ({ key, unit, source, weight, t }) =>
        `| \`${key}\` | ${serverMessage('en', `feature.${key}`)} | ${unit} | ${serverMessage('en', `featureWhy.${key}`)} | ${source} | ${weight.toFixed(3)} | ${t.toFixed(1)} |`,
    ),
    '',
    '## Known weaknesses',
    '',
    ...card.weaknesses.map((key) => `- ${serverMessage('en', `weakness.${key}`)}`),
    '',
    '## Tried, and of no help',
    '',
    ...card.tried.map((key) => `- ${serverMessage('en', `tried.${key}`)}`),
    '',
  ]
  return lines.join('\n')
}
