import type { CardMetrics, ExoticRecord, ModelCardAnswer, NetworkCard } from '../../contract/api/model.ts'
import { FIRST_HEADLINE } from '../../contract/model-ids.ts'
import { TRIED, weaknessesOf } from '../../domain/model-notes.ts'
import { regionRules, seasonLabel } from '../../domain/region.ts'
import type { Promotion } from '../model/headline.ts'
import { serverMessage } from '../process/messages.ts'

const percent = (share: number): string => `${(100 * share).toFixed(1)}%`
const signed = (value: number, digits: number): string =>
  `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(digits)}`

const HEAD = [
  '',
  'races',
  'log loss',
  'R² ± s.e.',
  'top 1',
  'top 3',
  'Brier',
  'slope',
  'return of first choice [95%]',
]

function cells(source: string, metrics: CardMetrics): string[] {
  const { returns } = metrics
  return [
    source,
    String(metrics.races),
    metrics.logLoss.toFixed(4),
    metrics.r2Error === null
      ? Math.abs(metrics.r2).toFixed(4)
      : `${metrics.r2.toFixed(4)} ±${metrics.r2Error.toFixed(4)}`,
    percent(metrics.top1),
    percent(metrics.top3),
    metrics.brier.toFixed(4),
    source === 'uniform' ? '–' : metrics.slope.toFixed(3),
    returns === null
      ? '–'
      : `${signed(100 * returns.rate, 1)}% [${returns.interval === null ? '–' : `${signed(100 * returns.interval.low, 1)}, ${signed(100 * returns.interval.high, 1)}`}]`,
  ]
}

function table(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  return rows.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)))
      .join('  '),
  )
}

/** What the later model without odds gains on the earlier one, pooled and by season. */
function challengeLines({ challenge, tuning }: ModelCardAnswer, label: (season: number) => string): string[] {
  if (challenge === null) return []
  const { model, against, pooled, bySeason } = challenge
  const between = ({ low, high }: { low: number; high: number }, digits: number): string =>
    `[${signed(low, digits)}, ${signed(high, digits)}]`
  const line = (name: string, { races, gain, interval, nats }: typeof pooled): string[] => [
    `  ${name}`,
    String(races),
    `${signed(nats.gain, 4)} ${between(nats.interval, 4)}`,
    `${signed(gain, 4)} ${between(interval, 4)}`,
  ]
  return [
    '',
    `${model} against ${against}, over the races of both, 95% by meeting`,
    ...table([
      ['', 'races', 'log loss, gain in nats a race', 'R², gain'],
      line('pooled', pooled),
      ...bySeason.map(({ season, gain }) =>
        line(tuning.includes(season) ? `${label(season)}, settings chosen on it` : label(season), gain),
      ),
    ]),
  ]
}

/** Whether the blend differs from the market; `null` if there is none. */
function blendSentence({ gains, settings }: ModelCardAnswer): string | null {
  const found = gains.find(({ model }) => model === 'blended')
  if (found === undefined || !settings?.blend) return null
  const { gain, interval } = found
  const figures = `R² ${signed(gain, 4)}, 95% ${signed(interval.low, 4)} to ${signed(interval.high, 4)}`
  return interval.low <= 0 && interval.high >= 0
    ? `With odds, the blend of \`${settings.blend.model}\` and the market cannot be told from the market alone (${figures}).`
    : `With odds, the blend of \`${settings.blend.model}\` and the market differs from the market alone (${figures}).`
}

/** Which model races show first where there are no odds, and since when. */
const headlineSentence = (promotions: readonly Promotion[]): string => {
  const newest = promotions.at(-1)
  return newest === undefined
    ? `Without odds, races show \`${FIRST_HEADLINE}\` first.`
    : `Without odds, races that were locked since ${newest.promotedAt} show \`${newest.model}\` first.`
}

/** A backtest's figures as terminal lines: season by season, then pooled. */
export function backtestLines(card: ModelCardAnswer): string[] {
  const label = (season: number): string => seasonLabel(regionRules(card.regionId).seasonStartMonth, season)
  if (card.pooled.length === 0)
    return [`region ${card.regionId}: no season could be predicted from earlier ones`]
  const bySeason = card.seasons.flatMap((season) => [
    '',
    `${label(season)}${card.tuning.includes(season) ? ' (settings were chosen on it: not in the pooled figures)' : ''}`,
    ...table([
      HEAD,
      ...card.sources.flatMap(({ source, bySeason: list }) => {
        const found = list.find((entry) => entry.season === season)
        return found ? [cells(source, found.metrics)] : []
      }),
    ]),
  ])
  return [
    `region ${card.regionId}: every season predicted from earlier ones only (${card.data.from} to ${card.data.to})`,
    ...bySeason,
    '',
    `pooled ${label(card.pooled[0]!)} to ${label(card.pooled.at(-1)!)}`,
    ...table([HEAD, ...card.sources.map(({ source, pooled }) => cells(source, pooled))]),
    '',
    'R² above the market with power, 95% by meeting',
    ...card.gains.map(
      ({ model, gain, interval }) =>
        `  ${model.padEnd(12)} ${signed(gain, 5)} [${signed(interval.low, 5)}, ${signed(interval.high, 5)}]`,
    ),
    ...challengeLines(card, label),
    ...card.exotics.flatMap(({ model, stages, coverage, pools, record }) => [
      '',
      `${model}: combinations`,
      ...stages.map(
        ({ place, races, plain, fitted, order }) =>
          `  place ${place}: ${races} races, log loss ${(-plain).toFixed(4)} plain Harville, ${(-fitted).toFixed(4)} fitted, ${signed(fitted - plain, 4)} nats${order === undefined ? '' : `; ${(-order).toFixed(4)} by finishing times, ${signed(order - fitted, 4)} nats`}`,
      ),
      `  together ${signed(
        stages.reduce((sum, { plain, fitted }) => sum + fitted - plain, 0),
        4,
      )} nats a race`,
      ...table([
        ['  class', 'races', 'top 1', 'expected', 'top 10', 'expected'],
        ...coverage.map((row) => [
          `  ${row.gameplayClass}`,
          String(row.races),
          percent(row.top1),
          percent(row.top1Expected),
          percent(row.top10),
          percent(row.top10Expected),
        ]),
      ]),
      ...(record === undefined ? [] : recordLines(record)),
      '  against the pools (ln model − ln pool of the winning combination, nats a race)',
      ...pools.map(
        ({ gameplayClass, races, gain, interval, verified }) =>
          `  class ${gameplayClass}: ${races} races, ${signed(gain, 4)} [${signed(interval.low, 4)}, ${signed(interval.high, 4)}]${verified ? '' : ' (takeout not confirmed)'}`,
      ),
    ]),
  ]
}

/** What the order rule gained on stage exponents, and every bet type by both. */
const recordLines = ({ gains, classes }: ExoticRecord): string[] => [
  ...gains.map(
    ({ season, races, gain, interval }) =>
      `  finishing times above fitted exponents, ${season === null ? 'pooled' : String(season)}: ${signed(gain, 4)} nats a race [${signed(interval.low, 4)}, ${signed(interval.high, 4)}], ${races} races`,
  ),
  ...table([
    ['  class', 'races', 'top 10 before', 'now', 'log loss before', 'now', 'paid', 'log loss', 'pool'],
    ...classes
      .filter(({ season }) => season === null)
      .map(({ gameplayClass, races, top10, loss, pool }) => [
        `  ${gameplayClass}`,
        String(races),
        percent(top10.before),
        percent(top10.now),
        loss === null ? '' : loss.before.toFixed(4),
        loss === null ? '' : loss.now.toFixed(4),
        pool === null ? '' : String(pool.races),
        pool === null ? '' : pool.loss.now.toFixed(4),
        pool === null ? '' : pool.poolLoss.toFixed(4),
      ]),
  ]),
]

const PARTS: Readonly<Record<NetworkCard['ablation'][number]['rows'][number]['part'], string>> = {
  linear: '`fundamental` alone',
  figures: 'figures together',
  people: 'figures together, jockeys and trainers',
  context: 'figures together, the race as it is',
  whole: 'all of it',
}

/** What the network adds to the linear model, as Markdown; nothing without one. */
function networkLines({ regionId, network, features }: ModelCardAnswer): string[] {
  if (!network) return []
  const label = (season: number): string => seasonLabel(regionRules(regionId).seasonStartMonth, season)
  const above = ({ gain, interval }: Above): string =>
    `${signed(gain, 4)} | ${signed(interval.low, 4)}, ${signed(interval.high, 4)}`
  return [
    '## What `network` adds',
    '',
    `\`fundamental\` adds up ${features.length} figures and gives each the same weight in every race. \`network\` takes ${percent(network.offset)} of that score and corrects it by the mean of ${network.networks} small networks${network.trees === 0 ? '' : `, averaged with ${network.trees} boosted trees`}, learnt from the first three of earlier races. They see the figures together; the race as it is (draw, field size, distance, class, rating, racecourse, ground, weights, time of the year, runs, days off); and ${network.jockeys} jockeys and ${network.trainers} trainers by name.`,
    '',
    'Reasons: those of `fundamental` are exact. What the networks add is divided among the same groups by Shapley values over four orders of joining, beginning with a horse that is the race’s mean in everything.',
    '',
    ...network.ablation.flatMap(({ seasons, races, rows }) => [
      `What each part is worth: ${label(seasons[0]!)} to ${label(seasons.at(-1)!)}, ${races} races of Hong Kong, recorded with networks on 90% of the linear score, not computed from these data.`,
      '',
      '| sees | R² | above `fundamental` | 95% |',
      '| --- | ---: | ---: | ---: |',
      ...rows.map(
        (row) =>
          `| ${PARTS[row.part]} | ${row.r2.toFixed(4)} | ${row.above === null ? '– | –' : above(row.above)} |`,
      ),
      '',
    ]),
  ]
}

type Above = NonNullable<NetworkCard['ablation'][number]['rows'][number]['above']>

/** The model card as Markdown. `promotions`: the region's, oldest first. */
export function cardMarkdown(card: ModelCardAnswer, promotions: readonly Promotion[]): string {
  const { data, settings } = card
  const ofBlend = blendSentence(card)
  const known = card.features.filter(({ weight }) => weight !== 0)
  const without = card.features.filter(({ weight }) => weight === 0)
  const lines = [
    `# Model card: region ${card.regionId}`,
    '',
    'Analysis data and AI scoring only, not betting advice. 18+.',
    '',
    ...(ofBlend === null ? [] : [ofBlend, '']),
    headlineSentence(promotions),
    '',
    `Data: ${data.races} races and ${data.starters} starters from ${data.from} to ${data.to}. Each season was predicted by a version that learnt from earlier seasons only; all figures below are out of sample, but that the settings were chosen on the seasons marked so, which are in no pooled figure.`,
    '',
    'Cautious and upset guard choices: `market-baseline` and `blended` make them from the odds last seen before the prediction, in a backtest the final odds; `fundamental` and `network` make them each from itself alone (its own first choice as the favourite, and the least probable choice of at least half the top probability).',
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
          `| ${percent(from)}–${percent(to)} | ${starters} | ${percent(mean)} | ${percent(observed)} | ${interval ? `${percent(interval.low)}–${percent(interval.high)}` : ''} |`,
      ),
    ]),
    '',
    ...networkLines(card),
    '## Features of `fundamental`',
    '',
    settings === null
      ? 'Nothing was learnt yet.'
      : `Conditional logit of the first two over standardised features against the race's mean, ${settings.trees === 0 ? 'no boosted trees' : `and ${settings.trees} boosted trees on what is left`}; temperature ${settings.temperature.toFixed(3)}. Market power ${settings.power.toFixed(3)}${settings.blend === null ? '' : `; blend: ${settings.blend.own.toFixed(3)} ${settings.blend.model}, ${settings.blend.market.toFixed(3)} market`}.`,
    '',
    'Weights and t values are in sample: of the newest version, on the races that it was fitted to.',
    '',
    '| feature | what | unit | why | source | weight | t |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...known.map(
      ({ key, unit, source, weight, t }) =>
        `| \`${key}\` | ${serverMessage('en', `feature.${key}`)} | ${unit} | ${serverMessage('en', `featureWhy.${key}`)} | ${source} | ${weight.toFixed(3)} | ${t.toFixed(1)} |`,
    ),
    '',
    ...(without.length === 0
      ? []
      : [
          `Without data in this region, and so without weight: ${without.map(({ key }) => `\`${key}\``).join(', ')}.`,
          '',
        ]),
    '## Known weaknesses',
    '',
    ...weaknessesOf(card.regionId).map((key) => `- ${serverMessage('en', `weakness.${key}`)}`),
    '',
    "## Tried on Hong Kong's seasons, and of no help",
    '',
    ...TRIED.map((key) => `- ${serverMessage('en', `tried.${key}`)}`),
    '',
  ]
  return lines.join('\n')
}
