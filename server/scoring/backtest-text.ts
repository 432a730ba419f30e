import type { SourceMetrics } from './metrics.ts'
import type { ModelCard } from './model-card.ts'
import { seasonLabel, regionRules } from '../../domain/region.ts'

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

function cells(source: string, metrics: SourceMetrics): string[] {
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

/** A backtest's figures as terminal lines: season by season, then pooled. */
export function backtestLines(card: ModelCard): string[] {
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
    ...card.exotics.flatMap(({ model, stages, coverage, pools }) => [
      '',
      `${model}: combinations`,
      ...stages.map(
        ({ place, races, plain, fitted }) =>
          `  place ${place}: ${races} races, log loss ${(-plain).toFixed(4)} plain Harville, ${(-fitted).toFixed(4)} fitted, ${signed(fitted - plain, 4)} nats`,
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
      '  against the pools (ln model − ln pool of the winning combination, nats a race)',
      ...pools.map(
        ({ gameplayClass, races, gain, interval, verified }) =>
          `  class ${gameplayClass}: ${races} races, ${signed(gain, 4)} [${signed(interval.low, 4)}, ${signed(interval.high, 4)}]${verified ? '' : ' (takeout not confirmed)'}`,
      ),
    ]),
  ]
}
