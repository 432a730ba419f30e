import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { queryPaceMap, type PaceMapOfRace } from '../../../contract/api/pace.ts'
import type { Competitor, RaceInfo } from '../../../contract/api/racing.ts'
import { regionRules, seasonLabel } from '../../../domain/region.ts'
import { programNumber } from '../../../domain/program-number.ts'
import { queryFor } from '../../data/client/call.ts'
import { useFormat } from '../../i18n/format.ts'
import { Name } from '../../i18n/name.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { OneOf } from '../../ui/fields/choices.tsx'
import { Columns, Small, Stack, TableTwin } from '../../ui/layout.tsx'
import { NumberCloth } from '../../ui/number-cloth.tsx'
import { ErrorNotice, Panel, Skeleton } from '../../ui/panel.tsx'
import { CoursePart } from './course-part.tsx'
import { FieldDrawing, type DrawnHorse } from './field-drawing.tsx'
import { positionsText } from './positions-text.ts'
import styles from './pace.module.css'
import map from './pace-map.module.css'

interface PaceMapProps {
  race: RaceInfo
  runners: readonly Competitor[]
}

const HEIGHT = 420
/** Length of the first section where it is not known, for the part of the course that is marked. */
const FIRST_M = 400

export function usePaceMap(raceId: string) {
  const { locale } = useIntl()
  return useQuery({ ...queryFor(queryPaceMap, { raceId }, locale), staleTime: 60_000, retry: 1 })
}

/** Where the runners are expected early in the race, and where they were. */
export function PaceMap({ race, runners }: PaceMapProps) {
  const pace = usePaceMap(race.raceId)
  if (pace.error && !pace.data) return <ErrorNotice error={pace.error} onRetry={() => void pace.refetch()} />
  if (!pace.data) return <Skeleton height={HEIGHT} />
  return (
    <Panel title={<FormattedMessage id="pace.map" />}>
      {pace.data.starters.length === 0 ? (
        <FormattedMessage id="pace.noMap" tagName="p" />
      ) : (
        <Shown of={pace.data} race={race} runners={runners} />
      )}
    </Panel>
  )
}

const EXPECTED = 'expected'

type Starter = PaceMapOfRace['starters'][number]

type LabelOf = (horseNumber: number) => string

/** Gives the number of a runner as the program prints it. */
function labeller(runners: readonly Competitor[]): LabelOf {
  const labels = new Map(runners.map((runner) => [runner.horseNumber, programNumber(runner)]))
  return (horseNumber) => labels.get(horseNumber) ?? String(horseNumber)
}

/** Starters from the rail outwards; without draws by their numbers. */
const byDraw = (starters: readonly Starter[]): Starter[] =>
  starters.toSorted((a, b) => (a.draw ?? a.horseNumber) - (b.draw ?? b.horseNumber))

/** The map, with the choice between what was expected and what was. */
function Shown({ of: pace, race, runners }: PaceMapProps & { of: PaceMapOfRace }) {
  const [shown, setShown] = useState(EXPECTED)
  const call = shown === EXPECTED ? null : Number(shown)
  const { calls, starters } = pace
  const behind = Math.max(1, starters.length - 1)
  const labelOf = labeller(runners)
  const horses = byDraw(starters).flatMap(
    ({ horseNumber, early, low, high, leads, positions }): DrawnHorse[] => {
      const label = labelOf(horseNumber)
      if (call === null) return [{ horseNumber, label, depth: early, low, high, leads }]
      const position = positions[call] ?? null
      return position === null
        ? []
        : [
            {
              horseNumber,
              label,
              depth: Math.min(1, (position - 1) / behind),
              low: null,
              high: null,
              leads: position === 1,
            },
          ]
    },
  )
  const fromM = call === null || call === 0 ? 0 : (calls[call - 1] ?? 0)
  const toM = calls[call ?? 0] ?? Math.min(FIRST_M, race.distance ?? FIRST_M)
  return (
    <div className={map.map} data-testid="pace-map">
      <Summary of={pace} labelOf={labelOf} />
      {calls.length === 0 ? null : <Calls calls={calls} shown={shown} onShow={setShown} />}
      <div className={map.pictures}>
        <FieldDrawing horses={horses} />
        <CoursePart race={race} fromM={fromM} toM={toM} />
      </div>
      <Small text={call === null ? 'pace.mapNote' : 'pace.realNote'} />
      <Starters of={pace} runners={runners} />
      <Columns>
        <Record of={pace} regionId={race.countryRegionId} />
      </Columns>
    </div>
  )
}

/** From this mean tendency to go forward the pace is probably fast, and up to the other slow. */
const FAST = 0.55
const SLOW = 0.45

/** How many usually lead, and how much the field presses on. */
function Summary({ of: { leaders, pressure, starters }, labelOf }: { of: PaceMapOfRace; labelOf: LabelOf }) {
  const format = useFormat()
  return (
    <p>
      <FormattedMessage
        id="pace.summary"
        values={{
          leaders,
          numbers: starters
            .filter(({ leads }) => leads)
            .map(({ horseNumber }) => labelOf(horseNumber))
            .join(', '),
          pressure: pressure >= FAST ? 'fast' : pressure <= SLOW ? 'slow' : 'even',
          share: format.percent(pressure, 0),
        }}
      />
    </p>
  )
}

interface CallsProps {
  calls: PaceMapOfRace['calls']
  shown: string
  onShow(call: string): void
}

/** Chooses between the expected positions and those at each call. */
function Calls({ calls, shown, onShow }: CallsProps) {
  const format = useFormat()
  return (
    <OneOf
      legend={<FormattedMessage id="pace.when" />}
      value={shown}
      onChange={onShow}
      choices={[
        { value: EXPECTED, label: <FormattedMessage id="pace.expected" /> },
        ...calls.map((metres, call) => ({
          value: String(call),
          label:
            call === calls.length - 1 ? (
              <FormattedMessage id="pace.finish" />
            ) : metres === null ? (
              <FormattedMessage id="pace.callNo" values={{ number: call + 1 }} />
            ) : (
              <FormattedMessage id="pace.after" values={{ metres: format.integer(metres) }} />
            ),
        })),
      ]}
    />
  )
}

/** The drawing as a table. */
function Starters({
  of: { starters, calls },
  runners,
}: {
  of: PaceMapOfRace
  runners: readonly Competitor[]
}) {
  const format = useFormat()
  const named = new Map(runners.map((runner) => [runner.horseNumber, runner]))
  return (
    <DataTable
      label="pace.map"
      data-testid="pace-starters"
      rows={starters.toSorted((a, b) => a.early - b.early)}
      keyOf={({ horseNumber }) => horseNumber}
      columns={[
        {
          id: 'race.horse',
          render: ({ horseNumber }) => {
            const runner = named.get(horseNumber)
            return (
              <span className={styles.horse}>
                <NumberCloth value={runner ? programNumber(runner) : horseNumber} small />
                {runner ? <Name language={runner.nameLanguage}>{runner.name}</Name> : null}
              </span>
            )
          },
          kind: 'name',
        },
        { id: 'race.draw', render: ({ draw }) => draw },
        { id: 'pace.expectedRank', render: ({ rank }) => format.integer(rank) },
        {
          id: 'pace.usual',
          render: ({ early, runs, leads }) =>
            runs === 0 ? null : <FormattedMessage id={`pace.style.${leads ? 'leader' : styleOf(early)}`} />,
          kind: 'text',
        },
        {
          id: 'pace.range',
          render: ({ low, high }) => `${format.percent(low, 0)}–${format.percent(high, 0)}`,
        },
        { id: 'pace.runs', render: ({ runs }) => format.integer(runs) },
        ...(calls.length === 0
          ? []
          : [
              {
                id: 'pace.positions',
                render: ({ positions }: Starter) =>
                  positions.length === 0 ? null : positionsText(positions),
              },
            ]),
      ]}
    />
  )
}

const PROMINENT = 0.45
const MIDFIELD = 0.65

/** How a horse that is no leader usually runs, by its usual position at the first call. */
const styleOf = (early: number): string =>
  early < PROMINENT ? 'prominent' : early < MIDFIELD ? 'midfield' : 'held'

/** How well the maps of past races agreed with them. */
function Record({ of: { record }, regionId }: { of: PaceMapOfRace; regionId: string }) {
  const format = useFormat()
  const { seasonStartMonth } = regionRules(regionId)
  if (record.length === 0) return <Small text="pace.noRecord" />
  const races = record.reduce((sum, season) => sum + season.races, 0)
  const mean = record.reduce((sum, season) => sum + season.races * season.correlation, 0) / races
  return (
    <Stack tight>
      <Small>
        <FormattedMessage
          id="pace.record"
          values={{ races, count: format.integer(races), correlation: format.decimal(mean, 2) }}
        />
      </Small>
      <TableTwin>
        <summary>
          <FormattedMessage id="pace.bySeason" />
        </summary>
        <DataTable
          label="pace.bySeason"
          data-testid="pace-record"
          rows={record.toReversed()}
          keyOf={({ season }) => season}
          columns={[
            {
              id: 'pace.season',
              render: ({ season }) => seasonLabel(seasonStartMonth, season),
              kind: 'name',
            },
            { id: 'pace.races', render: (season) => format.integer(season.races) },
            { id: 'pace.correlation', render: ({ correlation }) => format.decimal(correlation, 2) },
            { id: 'pace.led', render: ({ led }) => format.percent(led, 0) },
          ]}
        />
      </TableTwin>
    </Stack>
  )
}
