import { CalendarX } from 'lucide-react'
import { useState, type ComponentProps } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { useSearchParams } from 'react-router-dom'
import { groupBy } from '../../../domain/group-by.ts'
import { numberOf, textOf } from '../../../analytics/cells.ts'
import { useAnalytics, useScope } from '../../data/analytics/use-analytics.ts'
import { useToken } from '../../data/client/session.ts'
import { useVipToken } from '../../data/use-session.ts'
import { AnalyticsGate } from '../../features/dataset/analytics-gate.tsx'
import { PhoneRegionPicker } from '../../features/region/region-picker.tsx'
import { Meeting, MonthStrip, ResultsLegend } from '../../features/results/meeting.tsx'
import { useModels, usePicks, useResults } from '../../features/results/use-results.ts'
import { racePath } from '../../data/race-path.ts'
import { useFormat } from '../../i18n/format.ts'
import { useLanguage } from '../../i18n/language-provider.tsx'
import { localName } from '../../i18n/names.ts'
import { onDevice } from '../../storage/stored-text.ts'
import { OneOfLong, OneOfMany } from '../../ui/fields/choices.tsx'
import { Deferred } from '../../ui/behaviour/deferred.tsx'
import { useSetParam } from '../../ui/behaviour/use-set-param.ts'
import { DateButton } from '../../ui/fields/date-field.tsx'
import { Empty, ErrorNotice, Notice, Skeleton } from '../../ui/panel.tsx'
import { PageTitle, Row, Stack, TextLink } from '../../ui/layout.tsx'

const ALL = 'all'

/** Finished races by month: the picks, the winners, and the dividends. */
export const PredictionResultsScreen = () => (
  <Stack>
    <Row as="header" spread>
      <PageTitle as="div" title="title.results" lead="results.lead" />
      <PhoneRegionPicker />
    </Row>
    <Rights />
    <AnalyticsGate>
      <Results />
    </AnalyticsGate>
  </Stack>
)

/** States which picks the user can see, before any of them load. */
function Rights() {
  const signedIn = useToken()
  // Nothing is shown until it is known whether the user is VIP.
  if (useVipToken() !== null) return null
  return (
    <Notice>
      <FormattedMessage id={signedIn === null ? 'results.recentOnly' : 'results.own'} tagName="p" />
      <TextLink to="/pages/race/viplist" text="record.upsell" />
    </Notice>
  )
}

/** The month in the address, `yyyy-mm`. */
const wantedMonth = (params: URLSearchParams): string | undefined =>
  /^\d{4}-(0[1-9]|1[0-2])$/.exec(params.get('month') ?? '')?.[0]

type Races = NonNullable<ReturnType<typeof useResults>['data']>['rows']

/** The races of each racecourse, by its id. */
const coursesOf = (races: Races) => [...groupBy(races, (row) => numberOf(row, 'racecourse'))]

/** The months with races, newest first. Until they are known, the wanted one or the last one in the files. */
function useMonths(wanted: string | undefined) {
  const { to } = useScope()
  const { data, error, refetch } = useAnalytics({ named: { name: 'race_months' } })
  return {
    months:
      data?.rows.map((row) => textOf(row, 'month')) ??
      [wanted ?? to?.slice(0, 7)].filter((each) => each !== undefined),
    known: data !== undefined,
    failed: error,
    refetch,
  }
}

/** Key of the day whose races were shown last (specification section 3). */
const OPEN_KEY = 'activeCollapseGroup'

/** The day whose races the user opened last, `yyyy-mm-dd`; `''`: closed, `null`: none yet. */
function useOpenDay(): [string | null, (day: string) => void] {
  const [day, setDay] = useState<string | null>(() => onDevice.read(OPEN_KEY))
  const open = (next: string): void => {
    onDevice.write(OPEN_KEY, next)
    setDay(next)
  }
  return [day, open]
}

/** Which of a month's days with races is open, `days` newest first: the wanted one or the last before it, else the newest. */
function openOf(days: readonly string[], wanted: string | null): string {
  if (wanted === '') return ''
  const month = days[0]?.slice(0, 7)
  const before = wanted?.slice(0, 7) === month ? days.find((day) => day <= wanted!) : undefined
  return before ?? days[0] ?? ''
}

const dayOf = (races: Races): string => textOf(races[0]!, 'day')

function Results() {
  const { history } = useScope()
  const [params] = useSearchParams()
  const change = useSetParam()
  const { months, known, failed: monthsFailed, refetch } = useMonths(wantedMonth(params))
  const month = months.find((each) => each === params.get('month')) ?? months[0] ?? null
  const models = useModels()
  const model = models.find((id) => id === params.get('model')) ?? models[0]
  const races = useResults(month)
  const { picks, error } = usePicks(month, model)
  const [remembered, setOpenDay] = useOpenDay()
  const failed = monthsFailed ?? races.error
  if (failed && !races.data)
    return <ErrorNotice error={failed} onRetry={() => void (monthsFailed ? refetch : races.refetch)()} />
  if (known && months.length === 0) return <Empty icon={CalendarX} text="races.empty" />
  if (!races.data) return <Skeleton height={420} />
  const days = races.data.rows.map((row) => textOf(row, 'day'))
  const openDay = openOf(days, remembered)
  const courses = coursesOf(races.data.rows)
  const course = courses.find(([key]) => String(key) === params.get('course'))?.[0] ?? ALL
  return (
    <Deferred waiting={<Skeleton height={420} />}>
      <MonthStrip months={months} value={month} onChange={(next) => change('month', next)} />
      <Row>
        <DayChoice
          day={openDay || days[0]}
          onChange={(day) => {
            setOpenDay(day)
            change('month', day.slice(0, 7))
          }}
        />
        {courses.length > 1 ? (
          <CourseChoice courses={courses} value={course} onChange={(next) => change('course', next)} />
        ) : null}
        <ModelChoice models={models} value={model} onChange={(next) => change('model', next)} />
      </Row>
      {error ? <ErrorNotice error={error} /> : null}
      <Stack aria-busy={picks === null}>
        <Meetings
          races={races.data.rows.filter((row) => course === ALL || row['racecourse'] === course)}
          picks={picks}
          isHidden={(race) =>
            !history &&
            textOf(race, 'predicted_by')
              .split(' ')
              .includes(model ?? '')
          }
          openDay={openDay}
          onOpen={setOpenDay}
        />
      </Stack>
      <ResultsLegend />
    </Deferred>
  )
}

interface MeetingsProps {
  races: Races
  picks: ComponentProps<typeof Meeting>['picks']
  isHidden: ComponentProps<typeof Meeting>['isHidden']
  openDay: string
  /** A day was opened; `''`: the open one was closed. */
  onOpen(day: string): void
}

/** The meetings of a month, one day open at a time. */
const Meetings = ({ races, picks, isHidden, openDay, onOpen }: MeetingsProps) =>
  [...groupBy(races, (row) => `${textOf(row, 'day')} ${numberOf(row, 'racecourse')}`)].map(([key, list]) => (
    <Meeting
      key={key}
      races={list}
      picks={picks}
      isHidden={isHidden}
      open={dayOf(list) === openDay}
      onToggle={() => onOpen(dayOf(list) === openDay ? '' : dayOf(list))}
      hrefOf={(raceId) => racePath(raceId, 'pr')}
    />
  ))

interface DayChoiceProps {
  day: string | undefined
  onChange(day: string): void
}

/** Opens a day, or where nobody raced on it the last day of racing before it in its month. */
function DayChoice({ day, onChange }: DayChoiceProps) {
  const format = useFormat()
  return day === undefined ? null : <DateButton value={day} text={format.day(day)} onChange={onChange} />
}

interface ModelChoiceProps {
  models: ReturnType<typeof useModels>
  /** `undefined` if there is none. */
  value: string | undefined
  onChange(value: string): void
}

function ModelChoice({ models, value, onChange }: ModelChoiceProps) {
  const intl = useIntl()
  if (value === undefined || models.length < 2) return null
  return (
    <OneOfLong
      legend={intl.formatMessage({ id: 'record.model' })}
      value={value}
      choices={models.map((id) => ({ value: id, label: intl.formatMessage({ id: `source.${id}` }) }))}
      onChange={onChange}
    />
  )
}

interface CourseChoiceProps {
  /** Each racecourse's id and its races. */
  courses: ReturnType<typeof coursesOf>
  value: number | typeof ALL
  onChange(value: string): void
}

function CourseChoice({ courses, value, onChange }: CourseChoiceProps) {
  const intl = useIntl()
  const { language } = useLanguage()
  const { compare } = new Intl.Collator(language)
  const named = courses.map(([key, rows]) => ({
    value: String(key),
    label: localName(language, rows[0]!, 'racecourse')?.text ?? String(key),
  }))
  return (
    <OneOfMany
      legend={intl.formatMessage({ id: 'record.stadium' })}
      value={String(value)}
      choices={[
        { value: ALL, label: intl.formatMessage({ id: 'record.all' }) },
        ...named.toSorted((a, b) => compare(a.label, b.label)),
      ]}
      onChange={onChange}
    />
  )
}
