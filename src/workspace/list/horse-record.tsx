import { useState } from 'react'
import { FormattedMessage } from 'react-intl'
import { Link } from 'react-router-dom'
import { allOf, type Filter } from '../../../analytics/filter.ts'
import { writeFilter } from '../../../analytics/url.ts'
import type { ModelId } from '../../../contract/model-ids.ts'
import { ORIGINS } from '../../../contract/record-vocabulary.ts'
import { numberOf, textOf, type AnswerRow } from '../../../analytics/cells.ts'
import { useAnalytics, useScope } from '../../data/analytics/use-analytics.ts'
import { AnalyticsGate } from '../../features/dataset/analytics-gate.tsx'
import { useModels } from '../../features/results/use-results.ts'
import { useFormat } from '../../i18n/format.ts'
import { useWord } from '../../i18n/use-word.ts'
import { ExtraTexts } from '../../i18n/extra-texts.tsx'
import { OneOfLong } from '../../ui/fields/choices.tsx'
import { ErrorNotice, Skeleton } from '../../ui/panel.tsx'
import { Small } from '../../ui/layout.tsx'
import { pageRequest, useRowText } from '../query/rows.ts'
import { FigureTable } from '../parts/scrolled.tsx'
import { FailedAnswer } from '../parts/failed-answer.tsx'
import { BOUNDS, totalsOf } from '../../../analytics/view/totals.ts'
import { reasonText, toldText } from '../words/measure-text.ts'
import panelStyles from '../parts/panel.module.css'

/** Maximum number of runs listed; the workspace has all of them. */
const MAX_RUNS = 50
const COLUMNS = [
  'race_id',
  'day',
  'race_no',
  'rank',
  'probability',
  'price',
  'price_paid',
  'outcome',
  'profit_cents',
]

interface HorseRecordProps {
  horseId: string
  regionId: string
}

/** Every win prediction for one horse that the user may see, with its outcome. */
export default function HorseRecord(props: HorseRecordProps) {
  return (
    <AnalyticsGate>
      <ExtraTexts part="workspace" waiting={<Skeleton height={240} />}>
        <OfRegion {...props} />
      </ExtraTexts>
    </AnalyticsGate>
  )
}

/** The data of a region other than the user's are not open, so the horse cannot be found in them. */
function OfRegion({ horseId, regionId }: HorseRecordProps) {
  const scope = useScope()
  const found = useAnalytics(
    { named: { name: 'keys', ids: [horseId] } },
    { enabled: scope.regionId === regionId },
  )
  if (scope.regionId !== regionId) return <FormattedMessage id="horse.otherRegion" tagName="p" />
  if (found.error) return <ErrorNotice error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data || found.isPlaceholderData) return <Skeleton height={240} />
  const [row] = found.data.rows
  return row ? (
    <OfHorse horse={numberOf(row, 'key')} />
  ) : (
    <FormattedMessage id="horse.noPredictions" tagName="p" />
  )
}

function OfHorse({ horse }: { horse: number }) {
  const word = useWord()
  const models = useModels()
  const [chosen, setChosen] = useState('')
  const model = models.find((id) => id === chosen) ?? models[0]
  if (model === undefined) return <FormattedMessage id="horse.noPredictions" tagName="p" />
  return (
    <div className={panelStyles.stack} data-testid="horse-record">
      <OneOfLong
        legend={word('record.model')}
        value={model}
        choices={models.map((id) => ({ value: id, label: word(`source.${id}`) }))}
        onChange={setChosen}
      />
      <OfModel horse={horse} model={model} />
    </div>
  )
}

/** The predictions by one model: a question about all of them would have the server read the rows of every model. */
function OfModel({ horse, model }: { horse: number; model: ModelId }) {
  const { history, member } = useScope()
  const recent = member === null ? 'record.recentOnly' : 'record.own'
  const where = allOf({ dim: 'bet_type', in: [1] }, { dim: 'horse', in: [horse] })!
  const ofModel = allOf({ dim: 'model', in: [model] }, where)!
  const answer = useAnalytics(
    pageRequest('predictions', ofModel, COLUMNS, [{ by: 'day', descending: true }], 0, MAX_RUNS),
  )
  if (answer.error) return <FailedAnswer error={answer.error} />
  if (!answer.data || answer.isPlaceholderData) return <Skeleton height={240} />
  const { rows } = answer.data
  if (rows.length === 0) return <FormattedMessage id={history ? 'horse.noPredictions' : recent} tagName="p" />
  return (
    <>
      {history ? <Totals where={ofModel} /> : null}
      <Runs rows={rows} />
      {history ? (
        <p>
          <Link
            to={`/pages/race/WinLossRecord?${new URLSearchParams({ model, v: '2', f: writeFilter(where) }).toString()}`}
          >
            <FormattedMessage id="horse.inWorkspace" />
          </Link>
        </p>
      ) : (
        <Small text={recent} />
      )}
    </>
  )
}

/** Results by origin: locked predictions and backtests are never added up. */
function Totals({ where }: { where: Filter }) {
  const word = useWord()
  const format = useFormat()
  const answer = useAnalytics({
    aggregate: {
      model: 'predictions',
      by: ['origin'],
      measures: [...totalsOf('predictions'), ...BOUNDS, 'hit_rate', 'return', 'expected', 'expected_market'],
      where,
    },
  })
  if (answer.error) return <FailedAnswer error={answer.error} />
  if (!answer.data || answer.isPlaceholderData) return <Skeleton height={72} />
  const rows = ORIGINS.flatMap((origin) => answer.data.rows.filter((row) => textOf(row, 'origin') === origin))
  const reasons = rows.flatMap((row) => reasonText(word, row) ?? [])
  return (
    <>
      <FigureTable
        label={word('record.total')}
        data-testid="horse-totals"
        columns={{
          'origin.legend': (row) => word(`origin.${textOf(row, 'origin')}`),
          'record.predictions': (row) => format.integer(numberOf(row, 'predictions')),
          'record.hits': (row) => format.integer(numberOf(row, 'hits')),
          'horse.expectedModel': (row) => format.decimal(numberOf(row, 'expected'), 1),
          'horse.expected': (row) => format.decimal(numberOf(row, 'expected_market'), 1),
          'record.profit': (row) => toldText(word, format, row, 'profit'),
          'record.return': (row) => toldText(word, format, row, 'return'),
        }}
        rows={rows}
        keyOf={(row) => textOf(row, 'origin')}
      />
      {reasons.map((reason) => (
        <Small key={reason}>{reason}</Small>
      ))}
    </>
  )
}

function Runs({ rows }: { rows: readonly AnswerRow[] }) {
  const word = useWord()
  const format = useFormat()
  const text = useRowText()
  const dayOf = (row: AnswerRow) => (
    <Link to={`/pages/race/HorseRace?id=${textOf(row, 'race_id')}`}>{format.day(textOf(row, 'day'))}</Link>
  )
  return (
    <>
      <FigureTable
        label={word('horse.record')}
        data-testid="horse-runs"
        columns={{
          'record.day': dayOf,
          'workspace.raceShort': (row) => format.integer(numberOf(row, 'race_no')),
          'dimension.rank': (row) => format.integer(numberOf(row, 'rank')),
          'dimension.probability': (row) => format.percent(numberOf(row, 'probability')),
          'field.price': (row) => text.odds('predictions', row),
          'dimension.outcome': (row) => text.outcome('predictions', row),
          'record.profit': text.profit,
        }}
        rows={rows}
        keyOf={(row) => `${textOf(row, 'race_id')} ${numberOf(row, 'rank')}`}
      />
      <Small text="workspace.unpaidOdds" />
    </>
  )
}
