import { useMemo, useState } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { Link } from 'react-router-dom'
import { rankOf } from '../../../domain/horse-hit.ts'
import type { Horse } from '../../../contract/api/horse.ts'
import { useFormat } from '../../i18n/format.ts'
import { distanceNumber, distanceText, weightNumber } from '../../i18n/measures.ts'
import { PersonName } from '../../i18n/name.tsx'
import { useRaceWords } from '../../i18n/race-words.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { Row, Stack } from '../../ui/layout.tsx'
import { Button } from '../../ui/button.tsx'
import { OneOf } from '../../ui/fields/choices.tsx'
import { useWide } from '../../ui/behaviour/use-wide.ts'
import { Chart } from '../../widgets/chart/chart.tsx'
import { monthsBetween } from '../../widgets/chart/months-between.ts'
import { wholeTicks } from '../../widgets/chart/whole-ticks.ts'
import { DRAW_GROUPS, drawGroup, recordBy } from '../../../domain/horse-record.ts'

type Run = Horse['form'][number]

const HEIGHT = 260
/** Number of runs that the table shows at first. */
const SHOWN = 20
const MEASURES = ['rating', 'place', 'odds'] as const
type Measure = (typeof MEASURES)[number]

const valueOf: Readonly<Record<Measure, (run: Run) => number | null>> = {
  rating: ({ rating }) => rating,
  place: ({ place }) => rankOf(place ?? ''),
  odds: ({ odds }) => odds,
}

/** Whether every place is known: some sources know winners alone, and of second and third places nothing is said then. */
export const knowsPlaces = (form: readonly Run[]): boolean =>
  form.every(({ started, place }) => !started || place !== null)

/** A horse's runs as a chart of rating, finishing position or odds. */
export function FormChart({ form }: { form: readonly Run[] }) {
  const intl = useIntl()
  const format = useFormat()
  const wide = useWide()
  const known = MEASURES.filter((each) =>
    each === 'place' && !knowsPlaces(form) ? false : form.some((run) => valueOf[each](run) !== null),
  )
  const [measure, setMeasure] = useState<Measure>(known[0] ?? 'rating')
  const chart = useMemo(() => {
    const runs = form
      .flatMap((run) => {
        const value = valueOf[measure](run)
        return value === null ? [] : [{ date: run.date, value }]
      })
      .toReversed()
    const months = monthsBetween(runs[0]?.date, runs.at(-1)?.date, wide ? 6 : 3)
    const values = runs.map(({ value }) => value)
    const marks = wholeTicks(Math.min(...values), Math.max(...values))
    return {
      empty: runs.length === 0,
      label: intl.formatMessage({ id: `horse.${measure}` }),
      series: [
        {
          kind: 'steps' as const,
          name: intl.formatMessage({ id: `horse.${measure}` }),
          tone: 'accent' as const,
          x: runs.map(({ date }) => date),
          y: values,
          hover: runs.map(({ date, value }) => `${format.day(date)}\n${format.decimal(value, 1)}`),
        },
      ],
      x: {
        title: '',
        ticks: { at: months, text: months.map((date) => format.month(date.slice(0, 7))) },
      },
      y: {
        title: '',
        reversed: measure === 'place',
        ticks: {
          at: marks,
          text: marks.map((mark) => (Number.isInteger(mark) ? format.integer(mark) : format.odds(mark))),
        },
      },
    }
  }, [form, measure, intl, format, wide])
  return (
    <Stack as="figure">
      {known.length === 0 ? null : (
        <OneOf
          legend={<FormattedMessage id="horse.chartOf" />}
          value={measure}
          choices={known.map((value) => ({ value, label: <FormattedMessage id={`horse.${value}`} /> }))}
          onChange={(value) => setMeasure(value as Measure)}
        />
      )}
      {chart.empty ? (
        <FormattedMessage id="horse.noRuns" tagName="p" />
      ) : (
        <Chart {...chart} height={HEIGHT} />
      )}
    </Stack>
  )
}

interface FormTableProps {
  form: readonly Run[]
  /** How many runs are shown until all are wanted. */
  first?: number
  /** Where the screen has several such tables: the message of this one's name, with the horse it is of. */
  name?: { label: string; horse: string }
}

/** The same runs as a table. */
export function FormTable({ form, first = SHOWN, name }: FormTableProps) {
  const [whole, setWhole] = useState(false)
  const shown = whole ? form : form.slice(0, first)
  const intl = useIntl()
  const format = useFormat()
  const words = useRaceWords()
  return (
    <>
      <DataTable
        label={name?.label ?? 'horse.form'}
        {...(name && { values: { horse: name.horse } })}
        rows={shown}
        knownOnly
        keyOf={({ raceId, date }) => raceId ?? date}
        columns={[
          {
            id: 'record.day',
            render: ({ raceId, date }) =>
              raceId === null ? (
                format.day(date)
              ) : (
                <Link to={`/pages/race/HorseRace?id=${raceId}`}>{format.day(date)}</Link>
              ),
          },
          { id: 'horse.place', render: ({ place }) => place },
          { id: 'record.stadium', render: ({ stadiumName }) => stadiumName, kind: 'text' },
          {
            id: 'race.distanceM',
            render: ({ distanceM, raceId }) =>
              distanceM === null ? null : distanceNumber({ intl, format }, distanceM, raceId ?? ''),
          },
          { id: 'race.going', render: ({ going }) => words.going(going), kind: 'text' },
          { id: 'race.class', render: ({ raceClass }) => words.raceClass(raceClass), kind: 'text' },
          {
            id: 'race.jockey',
            render: ({ jockeyName, jockeyLanguage }) =>
              jockeyName && <PersonName name={jockeyName} language={jockeyLanguage} />,
            kind: 'text',
          },
          { id: 'race.draw', render: ({ draw }) => draw },
          { id: 'race.ratingScore', render: ({ rating }) => rating },
          {
            id: 'race.actualWeight',
            render: ({ actualWeightLb, raceId }) =>
              weightNumber({ intl, format }, actualWeightLb, raceId ?? ''),
          },
          {
            id: 'horse.time',
            render: ({ finishTimeMs: ms }) => (ms === null ? null : format.runningTime(ms)),
          },
          { id: 'record.odds', render: ({ odds }) => (odds === null ? null : format.odds(odds)) },
        ]}
      />
      {shown.length < form.length ? (
        <Row>
          <Button onClick={() => setWhole(true)}>
            <FormattedMessage id="horse.allRuns" values={{ count: form.length }} />
          </Button>
        </Row>
      ) : null}
    </>
  )
}

const CONDITIONS = {
  racecourse: 'record.stadium',
  distance: 'race.distance',
  going: 'race.going',
  draw: 'race.draw',
  jockey: 'race.jockey',
} as const
type Condition = keyof typeof CONDITIONS

/** How the horse finished by racecourse, distance, going, draw, or jockey. */
export function HorseRecordBy({ form }: { form: readonly Run[] }) {
  const intl = useIntl()
  const format = useFormat()
  const words = useRaceWords()
  const [by, setBy] = useState<Condition>('racecourse')
  const places = knowsPlaces(form)
  const lines = useMemo(() => {
    const conditionValue: Readonly<Record<Condition, (run: Run) => string | number | null>> = {
      racecourse: ({ stadiumName }) => stadiumName,
      distance: ({ distanceM }) => distanceM,
      going: ({ going }) => going,
      draw: ({ draw }) => drawGroup(draw),
      jockey: ({ jockeyName }) => jockeyName,
    }
    const found = recordBy(form, conditionValue[by])
    // Distances and draws are sorted by value.
    return by === 'distance' || by === 'draw'
      ? found.toSorted((a, b) => Number(a.key) - Number(b.key))
      : found
  }, [form, by])
  const labelOf = (key: string | number): string => {
    if (by === 'distance')
      return distanceText({ intl, format }, Number(key), form.find(({ raceId }) => raceId)?.raceId ?? '')
    if (by === 'going') return words.going(String(key)) ?? String(key)
    if (by !== 'draw') return String(key)
    const [first, last] = DRAW_GROUPS[Number(key)]!
    return last === null
      ? intl.formatMessage({ id: 'horse.drawFrom' }, { first })
      : intl.formatMessage({ id: 'horse.drawGroup' }, { first, last })
  }
  return (
    <Stack>
      <OneOf
        legend={<FormattedMessage id="horse.recordBy" />}
        value={by}
        choices={Object.entries(CONDITIONS).map(([value, id]) => ({
          value,
          label: <FormattedMessage id={id} />,
        }))}
        onChange={(value) => setBy(value as Condition)}
      />
      {lines.length === 0 ? (
        <FormattedMessage id="horse.noRuns" tagName="p" />
      ) : (
        <DataTable
          label="horse.recordBy"
          data-testid="horse-record-by"
          rows={lines}
          knownOnly
          keyOf={({ key }) => key}
          columns={[
            { id: CONDITIONS[by], render: ({ key }) => labelOf(key), kind: 'name' },
            { id: 'horse.starts', render: ({ starts }) => format.integer(starts) },
            { id: 'horse.first', render: ({ first }) => format.integer(first) },
            {
              id: 'horse.second',
              render: ({ second }) => (places ? format.integer(second) : null),
            },
            { id: 'horse.third', render: ({ third }) => (places ? format.integer(third) : null) },
            { id: 'horse.winRate', render: ({ winRate }) => format.percent(winRate) },
            {
              id: 'horse.topThreeRate',
              render: ({ topThreeRate }) => (places ? format.percent(topThreeRate) : null),
            },
          ]}
        />
      )}
    </Stack>
  )
}
