import { useState } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { Link } from 'react-router-dom'
import type { ModelId } from '../../../contract/model-ids.ts'
import type { Competitor, RaceInfo } from '../../../contract/api/racing.ts'
import { poissonInterval } from '../../../domain/statistics.ts'
import { inProgramOrder } from '../../../domain/program-number.ts'
import { numberOf, numberOrNull, textOf, type AnswerRow } from '../../../analytics/cells.ts'
import { useAnalytics } from '../../data/analytics/use-analytics.ts'
import { useFormat } from '../../i18n/format.ts'
import { useLanguage } from '../../i18n/language-provider.tsx'
import { Name } from '../../i18n/name.tsx'
import { localName, numberedName } from '../../i18n/names.ts'
import { useWide } from '../../ui/behaviour/use-wide.ts'
import { SelectField } from '../../ui/fields/select.tsx'
import { ColumnHeadings, ScrollRegion, Small, Stack, Table, TextCell } from '../../ui/layout.tsx'
import { Empty, ErrorNotice, Panel, Skeleton } from '../../ui/panel.tsx'
import styles from './nearest-runs.module.css'

/** Runs that are listed; the sum is of all. */
const LISTED = 10
const HEIGHT = 420
/** The last one has no room on a phone. */
const COLUMNS = ['record.day', 'race.horse', 'horse.place', 'record.odds', 'nearest.difference']
const TEXTS = new Set(['record.day', 'race.horse'])

interface NearestRunsProps {
  race: RaceInfo
  runners: readonly Competitor[]
  /** Of whose rows the earlier runs are; every model has each run once. */
  model: ModelId
}

/** The earlier runs that are nearest to a runner that the reader chooses, and how they ended. */
export function NearestRuns({ race, runners, model }: NearestRunsProps) {
  const [chosen, setChosen] = useState('')
  const intl = useIntl()
  const numbered = inProgramOrder(runners.filter(({ horseNumber }) => horseNumber !== null))
  return (
    <Panel title={<FormattedMessage id="nearest.title" />}>
      <div className={styles.runner}>
        <SelectField
          label={<FormattedMessage id="nearest.runner" />}
          value={chosen}
          options={[
            { value: '', label: intl.formatMessage({ id: 'nearest.choose' }) },
            ...numbered.map((runner) => ({ value: String(runner.horseNumber), label: numberedName(runner) })),
          ]}
          onChange={setChosen}
        />
      </div>
      {chosen === '' ? null : <Runs race={race} model={model} horseNo={Number(chosen)} />}
    </Panel>
  )
}

function Runs({ race, model, horseNo }: { race: RaceInfo; model: ModelId; horseNo: number }) {
  const wide = useWide()
  const answer = useAnalytics({ named: { name: 'nearest', model, raceId: race.raceId, horseNo } })
  if (answer.error) return <ErrorNotice error={answer.error} onRetry={() => void answer.refetch()} />
  if (!answer.data || answer.isPlaceholderData) return <Skeleton height={HEIGHT} />
  const { rows } = answer.data
  if (rows.length === 0) return <Empty text="form.none" />
  return (
    <Stack className={styles.runs}>
      <Sum rows={rows} />
      <ScrollRegion label="nearest.title">
        <Table data-testid="nearest-runs">
          <ColumnHeadings ids={wide ? COLUMNS : COLUMNS.slice(0, -1)} left={TEXTS} />
          <tbody>
            {rows.slice(0, LISTED).map((row) => (
              <Run
                key={`${textOf(row, 'race_id')} ${numberOf(row, 'horse_no')}`}
                row={row}
                difference={wide}
              />
            ))}
          </tbody>
        </Table>
      </ScrollRegion>
      <Small>
        <FormattedMessage id="nearest.explained" values={{ runs: rows.length }} />
      </Small>
    </Stack>
  )
}

/** How many of the runs won, and how many the odds expected to. */
function Sum({ rows }: { rows: readonly AnswerRow[] }) {
  const format = useFormat()
  const sumOf = (of: readonly AnswerRow[], name: string): number =>
    of.reduce((total, row) => total + numberOf(row, name), 0)
  const wins = sumOf(rows, 'won')
  const priced = rows.filter((row) => numberOrNull(row, 'expected') !== null)
  const [hits, expected] = [sumOf(priced, 'won'), sumOf(priced, 'expected')]
  const { low, high } = poissonInterval(hits)
  return (
    <p data-testid="nearest-sum">
      <FormattedMessage
        id="nearest.sum"
        values={{
          runs: rows.length,
          // A dead heat is half a win.
          wins: format.decimal(wins, Number.isInteger(wins) ? 0 : 1),
          rate: format.percent(wins / rows.length, 0),
        }}
      />{' '}
      {expected === 0 ? null : (
        <FormattedMessage
          id="nearest.expected"
          values={{
            expected: format.decimal(expected, 1),
            value: format.decimal(hits / expected, 2),
            low: format.decimal(low / expected, 2),
            high: format.decimal(high / expected, 2),
          }}
        />
      )}
    </p>
  )
}

function Run({ row, difference }: { row: AnswerRow; difference: boolean }) {
  const format = useFormat()
  const { language } = useLanguage()
  const name = localName(language, row, 'horse')
  const place = numberOrNull(row, 'place')
  const odds = numberOrNull(row, 'odds')
  return (
    <tr>
      <TextCell>
        <Link to={`/pages/race/HorseRace?id=${textOf(row, 'race_id')}`}>
          {format.day(textOf(row, 'day'))}
        </Link>
      </TextCell>
      <TextCell>{name === null ? '–' : <Name language={name.language}>{name.text}</Name>}</TextCell>
      <td>{place === null ? '–' : <FormattedMessage id="race.place" values={{ rank: place }} />}</td>
      <td>{odds === null ? '–' : format.odds(odds)}</td>
      {difference ? <td>{format.decimal(numberOf(row, 'difference'), 2)}</td> : null}
    </tr>
  )
}
