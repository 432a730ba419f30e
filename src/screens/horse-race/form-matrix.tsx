import { useState } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { Link } from 'react-router-dom'
import type { Request } from '../../../analytics/request.ts'
import type { Competitor, RaceInfo } from '../../../contract/api/racing.ts'
import { drawThird } from '../../../domain/draw-third.ts'
import { programNumber, programOrder } from '../../../domain/program-number.ts'
import { useAnalytics, useScope } from '../../data/analytics/use-analytics.ts'
import { BETWEEN_FACTS } from '../../i18n/between-facts.ts'
import { ExtraTexts } from '../../i18n/extra-texts.tsx'
import { useFormat } from '../../i18n/format.ts'
import { distanceText } from '../../i18n/measures.ts'
import { Name, PersonName } from '../../i18n/name.tsx'
import { useRaceWords } from '../../i18n/race-words.ts'
import { OneOf } from '../../ui/fields/choices.tsx'
import { LinkButton, ScrollRegion, Small, Stack, Table, TextCell } from '../../ui/layout.tsx'
import { NumberCloth } from '../../ui/number-cloth.tsx'
import { Empty, ErrorNotice, Notice, Panel, Skeleton } from '../../ui/panel.tsx'
import texts from '../../ui/text.module.css'
import { AnalyticsGate } from '../../features/dataset/analytics-gate.tsx'
import { useModels } from '../../features/results/use-results.ts'
import styles from './form-matrix.module.css'
import { declaredOf, keysRequest } from './form-ahead.ts'
import {
  cellOf,
  columnsOfPanels,
  conditionsOf,
  filterFor,
  FIRST_UP_DAYS,
  FORM_KINDS,
  formOf,
  formRequest,
  rowsByColumn,
  runsPath,
  valueOf,
  withKeys,
  type Condition,
  type FormCell,
  type FormKind,
  type FormOf,
  type FormRows,
  type FormRunner,
} from './form-request.ts'
import { NearestRuns } from './nearest-runs.tsx'

interface FormMatrixProps {
  race: RaceInfo
  runners: readonly Competitor[]
}

const HEIGHT = 520

/** The earlier runs of each runner's horse, jockey, trainer and sire under the conditions of a race, for VIPs. */
export default function FormMatrix(props: FormMatrixProps) {
  return (
    <ExtraTexts part="race" waiting={<Skeleton height={HEIGHT} />}>
      <AnalyticsGate>
        <ForReader {...props} />
      </AnalyticsGate>
    </ExtraTexts>
  )
}

function ForReader({ race, runners }: FormMatrixProps) {
  const { history, regionId } = useScope()
  const [model] = useModels()
  if (!history)
    return (
      <Notice>
        <FormattedMessage id="form.vip" tagName="p" />
        <LinkButton to="/pages/race/viplist" text="subscribe.toVip" />
      </Notice>
    )
  if (regionId !== race.countryRegionId || model === undefined) return <Empty text="form.none" />
  return (
    <Stack>
      <Matrix race={race} runners={runners} model={model} />
      <NearestRuns race={race} runners={declaredOf(runners)} model={model} />
    </Stack>
  )
}

function Matrix({ race, runners, model }: FormMatrixProps & { model: string }) {
  const [kind, setKind] = useState<FormKind>('horse')
  const intl = useIntl()
  const declared = declaredOf(runners)
  const keys = useAnalytics(keysRequest(race, runners))
  if (keys.error) return <ErrorNotice error={keys.error} onRetry={() => void keys.refetch()} />
  if (!keys.data || keys.isPlaceholderData) return <Skeleton height={HEIGHT} />
  const of = formOf(race, declared, model, keys.data.rows)
  return (
    <Panel title={<FormattedMessage id="form.title" />}>
      <OneOf
        legend={intl.formatMessage({ id: 'form.kind' })}
        value={kind}
        choices={FORM_KINDS.map((value) => ({
          value,
          label: <FormattedMessage id={`form.kind.${value}`} />,
        }))}
        onChange={(chosen) => setKind(FORM_KINDS.find((each) => each === chosen) ?? 'horse')}
      />
      <OfKind key={kind} kind={kind} of={of} runners={withKeys(declared, keys.data.rows)} />
      <Small text="form.explained" />
    </Panel>
  )
}

interface OfKindProps {
  kind: FormKind
  of: FormOf
  runners: readonly FormRunner[]
}

function OfKind({ kind, of, runners }: OfKindProps) {
  const conditions = conditionsOf(kind, of, runners)
  const request = formRequest(kind, conditions, of, runners)
  return request === null ? (
    <Empty text="form.none" />
  ) : (
    <Records {...{ kind, of, runners, conditions, request }} />
  )
}

interface RecordsProps extends OfKindProps {
  conditions: readonly Condition[]
  request: Request
}

function Records({ kind, of, runners, conditions, request }: RecordsProps) {
  const answer = useAnalytics(request)
  if (answer.error) return <ErrorNotice error={answer.error} onRetry={() => void answer.refetch()} />
  if (!answer.data || answer.isPlaceholderData) return <Skeleton height={HEIGHT} />
  const rows = rowsByColumn(answer.data.rows, columnsOfPanels(conditions, of))
  return (
    <ScrollRegion label="race.section.form">
      <Table className={styles.matrix} data-testid="form-matrix">
        <thead>
          <tr>
            <TextCell as="th" scope="col" className={styles.subject}>
              <FormattedMessage id={`form.kind.${kind}`} />
            </TextCell>
            <th scope="col">
              <FormattedMessage id="form.all" />
            </th>
            {conditions.map((condition) => (
              <th key={condition} scope="col">
                <Heading condition={condition} of={of} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {runners
            .toSorted((a, b) => (programOrder(a.runner) ?? 99) - (programOrder(b.runner) ?? 99))
            .map((runner) => (
              <Line key={runner.runner.horseId} {...{ kind, of, runner, conditions, rows }} />
            ))}
        </tbody>
      </Table>
    </ScrollRegion>
  )
}

/** What the race has, in words; of a stall or a person each runner's own. */
function Heading({ condition, of: { race, starters } }: { condition: Condition; of: FormOf }) {
  const words = useRaceWords()
  const format = useFormat()
  const intl = useIntl()
  switch (condition) {
    case 'racecourse':
      return race.stadiumName
    case 'distance':
      return distanceText({ intl, format }, race.distance ?? 0, race.raceId)
    case 'going':
      return words.going(race.trackCondition)
    case 'class':
      return race.raceClass === null ? null : words.raceClass(race.raceClass)
    case 'course':
      return intl.formatMessage({ id: 'form.course' }, { course: race.course })
    case 'field_size':
      return intl.formatMessage({ id: 'form.fieldSize' }, { runners: starters })
    case 'first_up':
      return intl.formatMessage({ id: 'form.firstUp' }, { days: FIRST_UP_DAYS })
    default:
      return <FormattedMessage id={`form.same.${condition}`} />
  }
}

interface LineProps extends Omit<OfKindProps, 'runners'> {
  runner: FormRunner
  conditions: readonly Condition[]
  rows: FormRows
}

function Line({ kind, of, runner, conditions, rows }: LineProps) {
  const key = runner[kind]
  return (
    <tr>
      <TextCell as="th" scope="row" className={styles.subject}>
        <span className={styles.named}>
          <NumberCloth value={programNumber(runner.runner)} small />
          <Subject kind={kind} runner={runner} />
        </span>
      </TextCell>
      {[null, ...conditions].map((condition, column) => {
        const isFilter = filterFor(condition, of) !== null
        // What a filter has chosen is not grouped by its value.
        const value = condition === null || isFilter ? null : valueOf(condition, runner, of)
        const known = key !== null && (condition === null || isFilter || value !== null)
        return (
          <td key={condition ?? 'all'}>
            {known ? (
              <Runs
                cell={cellOf(rows, { column, key, value })}
                to={runsPath(kind, key, condition, value, of)}
                note={condition === 'draw_third' ? drawNote(runner, of) : null}
              />
            ) : (
              '–'
            )}
          </td>
        )
      })}
    </tr>
  )
}

const drawNote = ({ runner: { draw } }: FormRunner, { starters }: FormOf): string | null =>
  draw === null ? null : `form.third.${drawThird(draw, starters)}`

function Subject({ kind, runner: { runner, sire } }: { kind: FormKind; runner: FormRunner }) {
  switch (kind) {
    case 'horse':
      return <Name language={runner.nameLanguage}>{runner.name}</Name>
    case 'jockey':
      return <PersonName name={runner.jockey} language={runner.jockeyLanguage} />
    case 'trainer':
      return <PersonName name={runner.trainer} language={runner.trainerLanguage} />
    case 'sire':
      return sire ?? '–'
  }
}

/** Wins of runs, how often placed, and winners against those that the odds expected. */
function Runs({ cell, to, note }: { cell: FormCell | null; to: string; note: string | null }) {
  const format = useFormat()
  const intl = useIntl()
  if (cell === null) return <span className={texts.soft}>{format.integer(0)}</span>
  const { runs, wins, placeRate, ratio } = cell
  const tone = ratio === null ? '' : ratio.low > 1 ? texts.gain : ratio.high < 1 ? texts.loss : ''
  const mark = tone === texts.gain ? ' ▲' : tone === texts.loss ? ' ▼' : ''
  const more = [
    note === null ? null : intl.formatMessage({ id: note }),
    placeRate === null
      ? null
      : intl.formatMessage({ id: 'form.placed' }, { share: format.percent(placeRate, 0) }),
  ].filter((part) => part !== null)
  return (
    <Link
      className={styles.record}
      to={to}
      title={
        ratio === null
          ? undefined
          : intl.formatMessage(
              { id: 'form.interval' },
              { low: format.decimal(ratio.low, 2), high: format.decimal(ratio.high, 2) },
            )
      }
    >
      <span className={styles.runs}>{intl.formatMessage({ id: 'form.record' }, { wins, runs })}</span>
      {ratio === null ? null : (
        <Small as="span" className={tone}>
          {intl.formatMessage({ id: 'form.ratio' }, { value: format.decimal(ratio.value, 2) })}
          {mark}
        </Small>
      )}
      {more.length === 0 ? null : <Small as="span">{more.join(BETWEEN_FACTS)}</Small>}
    </Link>
  )
}
