import { useState } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { programNumber } from '../../../domain/program-number.ts'
import type { RaceReport } from '../../../contract/api/report.ts'
import { useFormat } from '../../i18n/format.ts'
import { weightNumber } from '../../i18n/measures.ts'
import { Name } from '../../i18n/name.tsx'
import { SignedBar } from '../../ui/bar.tsx'
import { NumberCloth } from '../../ui/number-cloth.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { OneOfLong } from '../../ui/fields/choices.tsx'
import { ColumnHeadings, ScrollRegion, Small, Table, TextCell } from '../../ui/layout.tsx'
import texts from '../../ui/text.module.css'
import styles from './report.module.css'

type Runner = RaceReport['runners'][number]

const dash = (value: string | number | null): string | number => value ?? '–'

function Horse({ runner }: { runner: Runner }) {
  return (
    <span className={styles.horse}>
      <NumberCloth value={programNumber(runner) ?? '–'} />
      <span>
        <Name language={runner.nameLanguage}>{runner.name}</Name>
      </span>
    </span>
  )
}

/** Our own models, shown beside the headline model. */
const OTHER_MODELS = ['fundamental', 'blended', 'network']

/** The field with the model's probabilities, their fair odds, and the market's estimate. */
export function FieldTable({ runners, model: shown }: { runners: readonly Runner[]; model: string }) {
  const intl = useIntl()
  const format = useFormat()
  const models = OTHER_MODELS.filter(
    (model) =>
      model !== shown &&
      runners.some(({ probabilities }) => probabilities.some((own) => own.model === model)),
  )
  return (
    <DataTable
      label="report.field"
      rows={runners.toSorted((a, b) => (b.probability ?? 0) - (a.probability ?? 0))}
      keyOf={({ horseId }) => horseId}
      columns={[
        { id: 'race.horse', render: (runner) => <Horse runner={runner} />, kind: 'name' },
        {
          id: 'report.chance',
          render: ({ probability }) => (
            <strong>{probability === null ? '–' : format.percent(probability, 2)}</strong>
          ),
        },
        {
          id: 'report.fairOdds',
          render: ({ fairOdds }) => (fairOdds === null ? null : format.decimal(fairOdds, 2)),
        },
        ...models.map((model) => ({
          id: `source.${model}`,
          render: ({ probabilities }: Runner) => {
            const own = probabilities.find((each) => each.model === model)
            return own && format.percent(own.probability, 2)
          },
        })),
        { id: 'record.odds', render: ({ odds }) => (odds === null ? null : format.odds(odds)) },
        {
          id: 'report.market',
          render: ({ marketProbability: market }) => (market === null ? null : format.percent(market, 2)),
        },
        {
          id: 'race.card.edge',
          render: ({ probability, marketProbability: market }) =>
            probability === null || market === null
              ? null
              : format.signedDecimal((probability - market) * 100, 1),
        },
        { id: 'race.draw', render: ({ draw }) => draw },
        {
          id: 'race.actualWeight',
          render: ({ actualWeight, horseId }) => weightNumber({ intl, format }, actualWeight, horseId),
        },
        { id: 'race.ratingScore', render: ({ ratingScore }) => ratingScore },
        { id: 'horse.place', render: ({ ranking }) => ranking || null },
      ]}
    />
  )
}

/** Maximum number of reasons per horse; the largest are shown. */
const SHOWN_REASONS = 6

/**
 * Feature contributions for each horse, in log-odds relative to the race's mean, by the model that the reader chose of
 * those that give any.
 */
export function Contributions({ report: { runners, explains } }: { report: RaceReport }) {
  const intl = useIntl()
  const format = useFormat()
  const [chosen, choose] = useState(explains[0]!)
  const model = explains.includes(chosen) ? chosen : explains[0]!
  const nameOf = (id: string): string => intl.formatMessage({ id: `source.${id}` })
  const rows = runners
    .map((runner) => ({
      ...runner,
      contributions: runner.contributions.filter((each) => each.model === model),
    }))
    .filter(({ contributions }) => contributions.length > 0)
  const most = Math.max(
    ...rows.flatMap(({ contributions }) => contributions.map(({ value }) => Math.abs(value))),
    0.01,
  )
  return (
    <>
      {explains.length > 1 ? (
        <OneOfLong
          legend={intl.formatMessage({ id: 'record.model' })}
          choices={explains.map((value) => ({ value, label: nameOf(value) }))}
          value={model}
          onChange={choose}
        />
      ) : null}
      <Small>
        <FormattedMessage id="report.whyHint" values={{ model: nameOf(model) }} />
      </Small>
      <ul className={styles.why} data-testid="report-why">
        {rows
          .toSorted((a, b) => (b.probability ?? 0) - (a.probability ?? 0))
          .map((runner) => (
            <li key={runner.horseId}>
              <Horse runner={runner} />
              <ul>
                {runner.contributions.slice(0, SHOWN_REASONS).map(({ feature, value }) => (
                  <li key={feature} className={styles.contribution}>
                    <span>{intl.formatMessage({ id: `featureGroup.${feature}` })}</span>
                    <SignedBar value={value} most={most} />
                    <span className={texts.right}>{format.signedDecimal(value, 2)}</span>
                  </li>
                ))}
              </ul>
            </li>
          ))}
      </ul>
    </>
  )
}

/** Each horse's earlier runs over the same course and distance. */
export function CourseHistory({ runners }: { runners: readonly Runner[] }) {
  const intl = useIntl()
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
                <td>{dash(weightNumber({ intl, format }, run.actualWeight, run.raceId))}</td>
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
    <DataTable
      label="report.selected"
      rows={report.selected}
      keyOf={({ gameplayClass }) => gameplayClass}
      columns={[
        {
          id: 'record.betType',
          render: ({ gameplayClass }) => intl.formatMessage({ id: `gameplay.${gameplayClass}` }),
          kind: 'name',
        },
        { id: 'record.prediction', render: ({ combination }) => combination },
        { id: 'record.probability', render: ({ probability }) => format.percent(probability, 2) },
        { id: 'record.odds', render: ({ odds }) => (odds === null ? null : format.odds(odds)) },
        {
          id: 'record.outcome',
          render: ({ outcome }) =>
            outcome && (
              <span className={outcome === 'hit' ? texts.gain : outcome === 'miss' ? texts.loss : ''}>
                {intl.formatMessage({ id: `outcome.${outcome}` })}
              </span>
            ),
        },
        {
          id: 'report.profit',
          render: ({ profit, outcome }) =>
            profit === null
              ? outcome && intl.formatMessage({ id: 'record.unknownShort' })
              : format.profit(profit),
        },
        {
          id: 'report.dividends',
          render: (line) =>
            report.dividends
              .filter(({ gameplayClass }) => gameplayClass === line.gameplayClass)
              .map(
                ({ combination, dividend }) =>
                  `${combination}: ${dividend === null ? '–' : format.dividend(dividend)}`,
              )
              .join('; ') || null,
        },
      ]}
    />
  )
}
