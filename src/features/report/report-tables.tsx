import { useIntl } from 'react-intl'
import type { RaceReport } from '../../../contract/api/report.ts'
import { useFormat } from '../../i18n/format.ts'
import { Name } from '../../i18n/name.tsx'
import { Chip } from '../../ui/chip.tsx'
import { ColumnHeadings, ScrollRegion, Table, TextCell } from '../../ui/layout.tsx'
import texts from '../../ui/text.module.css'
import styles from './report.module.css'

type Runner = RaceReport['runners'][number]

const dash = (value: string | number | null): string | number => value ?? '–'

function Horse({ runner }: { runner: Runner }) {
  return (
    <span className={styles.horse}>
      <Chip value={runner.horseNumber ?? '–'} />
      <span>
        <Name language={runner.nameLanguage}>{runner.name}</Name>
      </span>
    </span>
  )
}

/** Our own models, shown beside the headline model. */
const OTHER_MODELS = ['fundamental', 'blended']

/** The field with the model's probabilities, their fair odds, and the market's estimate. */
export function FieldTable({ runners, model: shown }: { runners: readonly Runner[]; model: string }) {
  const format = useFormat()
  const models = OTHER_MODELS.filter(
    (model) =>
      model !== shown &&
      runners.some(({ probabilities }) => probabilities.some((own) => own.model === model)),
  )
  const sorted = runners.toSorted((a, b) => (b.probability ?? 0) - (a.probability ?? 0))
  return (
    <ScrollRegion label="report.field">
      <Table>
        <ColumnHeadings
          ids={[
            'race.horse',
            'record.probability',
            'report.fairOdds',
            ...models.map((model) => `source.${model}`),
            'record.odds',
            'report.market',
            'report.difference',
            'race.draw',
            'race.actualWeight',
            'race.ratingScore',
            'race.result',
          ]}
        />
        <tbody>
          {sorted.map((runner) => {
            const { probability, marketProbability } = runner
            const difference =
              probability === null || marketProbability === null ? null : probability - marketProbability
            return (
              <tr key={runner.horseId}>
                <TextCell scope="row" as="th">
                  <Horse runner={runner} />
                </TextCell>
                <td>
                  <strong>{probability === null ? '–' : format.percent(probability, 2)}</strong>
                </td>
                <td>{runner.fairOdds === null ? '–' : format.decimal(runner.fairOdds, 2)}</td>
                {models.map((model) => {
                  const own = runner.probabilities.find((each) => each.model === model)
                  return <td key={model}>{own ? format.percent(own.probability, 2) : '–'}</td>
                })}
                <td>{runner.odds === null ? '–' : format.odds(runner.odds)}</td>
                <td>{marketProbability === null ? '–' : format.percent(marketProbability, 2)}</td>
                <td>{difference === null ? '–' : format.signedPercent(difference)}</td>
                <td>{dash(runner.draw)}</td>
                <td>{dash(runner.actualWeight)}</td>
                <td>{dash(runner.ratingScore)}</td>
                <td>{runner.ranking === '' ? '–' : runner.ranking}</td>
              </tr>
            )
          })}
        </tbody>
      </Table>
    </ScrollRegion>
  )
}

/** Maximum number of reasons per horse; the largest are shown. */
const SHOWN_REASONS = 6

/** Feature contributions for each horse, in log-odds relative to the race's mean. */
export function Contributions({ runners }: { runners: readonly Runner[] }) {
  const intl = useIntl()
  const format = useFormat()
  const rows = runners.filter(({ contributions }) => contributions.length > 0)
  const most = Math.max(
    ...rows.flatMap(({ contributions }) => contributions.map(({ value }) => Math.abs(value))),
    0.01,
  )
  return (
    <ul className={styles.why}>
      {rows
        .toSorted((a, b) => (b.probability ?? 0) - (a.probability ?? 0))
        .map((runner) => (
          <li key={runner.horseId}>
            <Horse runner={runner} />
            <ul>
              {runner.contributions.slice(0, SHOWN_REASONS).map(({ feature, value }) => (
                <li key={feature} className={styles.contribution}>
                  <span>{intl.formatMessage({ id: `featureGroup.${feature}` })}</span>
                  <span className={styles.axis} aria-hidden="true">
                    <span
                      className={value < 0 ? styles.down : styles.up}
                      style={{ width: `${(Math.abs(value) / most) * 50}%` }}
                    />
                  </span>
                  <span className={texts.right}>{format.signedDecimal(value, 2)}</span>
                </li>
              ))}
            </ul>
          </li>
        ))}
    </ul>
  )
}

/** Each horse's earlier runs over the same course and distance. */
export function CourseHistory({ runners }: { runners: readonly Runner[] }) {
  const format = useFormat()
  return (
    <ScrollRegion label="report.history">
      <Table>
        <ColumnHeadings
          ids={[
            'race.horse',
            'record.day',
            'horse.place',
            'report.starters',
            'horse.time',
            'race.actualWeight',
            'record.odds',
          ]}
          left={new Set(['record.day'])}
        />
        <tbody>
          {runners.flatMap((runner) =>
            runner.courseRuns.map((run, index) => (
              <tr key={`${runner.horseId} ${run.raceId}`}>
                {index === 0 ? (
                  <TextCell scope="row" rowSpan={runner.courseRuns.length} as="th">
                    <Horse runner={runner} />
                  </TextCell>
                ) : null}
                <TextCell>{format.day(run.date)}</TextCell>
                <td>{dash(run.place)}</td>
                <td>{format.integer(run.starters)}</td>
                <td>{run.finishTimeMs === null ? '–' : format.runningTime(run.finishTimeMs)}</td>
                <td>{dash(run.actualWeight)}</td>
                <td>{run.odds === null ? '–' : format.odds(run.odds)}</td>
              </tr>
            )),
          )}
        </tbody>
      </Table>
    </ScrollRegion>
  )
}

/** The model's choice in each bet type, and what it paid. */
export function Settlement({ report }: { report: RaceReport }) {
  const intl = useIntl()
  const format = useFormat()
  return (
    <ScrollRegion label="report.selected">
      <Table>
        <ColumnHeadings
          ids={[
            'record.betType',
            'record.prediction',
            'record.probability',
            'record.odds',
            'record.outcome',
            'record.profit',
            'report.dividends',
          ]}
        />
        <tbody>
          {report.selected.map((line) => (
            <tr key={line.gameplayClass}>
              <TextCell scope="row" as="th">
                {intl.formatMessage({ id: `gameplay.${line.gameplayClass}` })}
              </TextCell>
              <td>{line.combination}</td>
              <td>{format.percent(line.probability, 2)}</td>
              <td>{line.odds === null ? '–' : format.odds(line.odds)}</td>
              <td className={line.outcome === 'hit' ? texts.gain : line.outcome === 'miss' ? texts.loss : ''}>
                {line.outcome === null ? '–' : intl.formatMessage({ id: `outcome.${line.outcome}` })}
              </td>
              <td>
                {line.profit === null
                  ? line.outcome === null
                    ? '–'
                    : intl.formatMessage({ id: 'record.unknownShort' })
                  : format.signedHkd(line.profit)}
              </td>
              <td>
                {report.dividends
                  .filter(({ gameplayClass }) => gameplayClass === line.gameplayClass)
                  .map(
                    ({ combination, dividend }) =>
                      `${combination}: ${dividend === null ? '–' : format.hkd(dividend)}`,
                  )
                  .join('; ') || '–'}
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
    </ScrollRegion>
  )
}
