import { useQuery } from '@tanstack/react-query'
import { FormattedMessage, useIntl } from 'react-intl'
import { Link } from 'react-router-dom'
import { gearItems } from '../../../domain/gear.ts'
import { rankOf } from '../../../domain/horse-hit.ts'
import type { CardFigures } from '../../../domain/racecard.ts'
import { queryHorseInfo, type Horse } from '../../../contract/api/horse.ts'
import type { Competitor, RaceInfo } from '../../../contract/api/racing.ts'
import type { RaceReport } from '../../../contract/api/report.ts'
import { useToken } from '../../data/client/session.ts'
import { useReport } from '../../data/use-race.ts'
import { ExtraTexts } from '../../i18n/extra-texts.tsx'
import { useFormat } from '../../i18n/format.ts'
import { distanceText, weightNumber, weightText } from '../../i18n/measures.ts'
import { PersonName } from '../../i18n/name.tsx'
import { useRaceWords } from '../../i18n/race-words.ts'
import { FollowToggle } from '../../widgets/follow/follow.tsx'
import { SignedBar } from '../../ui/bar.tsx'
import { ErrorNotice, Skeleton } from '../../ui/panel.tsx'
import { type Fact, Facts, List, Row, Small, Stack, TextLink } from '../../ui/layout.tsx'
import styles from './racecard.module.css'
import { RunnerMarks } from './runner-marks.tsx'
import { queryFor } from '../../data/client/call.ts'
import { BETWEEN_FACTS } from '../../i18n/between-facts.ts'

const LAST_RUNS = 6
const MAX_REASONS = 6

interface RunnerDetailsProps {
  race: RaceInfo
  runner: Competitor
  open: boolean
  /** Figures that do not fit in the row itself. */
  figures?: CardFigures
}

/** Details of a runner's row: the reasons of our models, and the horse's last runs. */
export function RunnerDetails(props: RunnerDetailsProps) {
  return (
    <ExtraTexts part="race" waiting={<Skeleton height={DETAILS_HEIGHT} />}>
      <Details {...props} />
    </ExtraTexts>
  )
}

/** Of the details before they are known. */
const DETAILS_HEIGHT = 200

function Details({ race, runner, open, figures }: RunnerDetailsProps) {
  const intl = useIntl()
  const words = useRaceWords()
  const format = useFormat()
  const signedIn = useToken() !== null
  const own: Fact[] = figures
    ? [
        [
          'race.jockey',
          runner.jockey && <PersonName name={runner.jockey} language={runner.jockeyLanguage} />,
        ],
        [
          'race.trainer',
          runner.trainer && <PersonName name={runner.trainer} language={runner.trainerLanguage} />,
        ],
        ['race.ratingScore', runner.ratingScore],
        ['race.actualWeight', weightNumber({ intl, format }, runner.actualWeight, runner.horseId)],
        ...(figures.fairOdds === null
          ? []
          : [['race.card.fair', format.decimal(figures.fairOdds, 2)] as const]),
        ...(figures.edge === null
          ? []
          : [['race.card.edge', format.signedDecimal(figures.edge * 100, 1)] as const]),
      ]
    : []
  return (
    <Stack tight>
      <Facts
        knownOnly
        facts={[
          ...own,
          ['horse.age', runner.age],
          ['horse.sex', words.sex(runner.sex)],
          [
            'race.card.gear',
            intl.formatList(
              gearItems(runner.gear ?? '').map(({ code, mark }) =>
                intl.formatMessage(
                  { id: 'race.gearItem' },
                  { name: words.gear(code), mark: mark ?? 'usual' },
                ),
              ),
              { type: 'unit' },
            ),
          ],
          ['race.declaredWeight', runner.declaredWeight],
          ['race.entryNumber', runner.entryNumber],
          ...(runner.status === 'finished'
            ? ([
                ['race.margin', words.margin(runner.finishLength)],
                ['race.running', runner.runningPosition],
              ] as const)
            : []),
        ]}
      />
      {open && runner.status !== 'withdrawn' ? (
        <Reasons raceId={race.raceId} horseId={runner.horseId} />
      ) : null}
      <LastRuns before={race.date} horseId={runner.horseId} />
      <FollowRunner runner={runner} />
      <RunnerMarks race={race} runner={runner} />
      <Row>
        <TextLink
          className={styles.horseLink}
          to={`/pages/race/HorseDetail?id=${encodeURIComponent(runner.horseId)}`}
          text="race.toHorse"
        />
        {signedIn ? (
          <TextLink
            className={styles.horseLink}
            to={`/pages/race/HorseRace?id=${race.raceId}&tab=notes&horse=${encodeURIComponent(runner.horseId)}`}
            text="race.writeNote"
          />
        ) : null}
      </Row>
    </Stack>
  )
}

/** Buttons that follow the horse, its jockey and its trainer. */
function FollowRunner({ runner }: { runner: Competitor }) {
  const { jockey, jockeyId, trainer, trainerId } = runner
  return (
    <Row className={styles.follows}>
      <FollowToggle
        of={{ kind: 'horse', target: runner.horseId }}
        name={runner.name}
        nameLanguage={runner.nameLanguage}
        named
      />
      {jockey === null || jockeyId === null ? null : (
        <FollowToggle
          of={{ kind: 'jockey', target: jockeyId }}
          name={jockey}
          nameLanguage={runner.jockeyLanguage}
          named
        />
      )}
      {trainer === null || trainerId === null ? null : (
        <FollowToggle
          of={{ kind: 'trainer', target: trainerId }}
          name={trainer}
          nameLanguage={runner.trainerLanguage}
          named
        />
      )}
    </Row>
  )
}

/** What raises and lowers one horse's chance by model, most effective first, against the race's mean. */
function Reasons({ raceId, horseId }: { raceId: string; horseId: string }) {
  const intl = useIntl()
  const report = useReport(raceId, true)
  const runner = report.data?.runners.find((each) => each.horseId === horseId)
  if (report.error) return <ErrorNotice error={report.error} onRetry={() => void report.refetch()} />
  if (!report.data || !runner) return <Skeleton height={32} />
  const byModel = report.data.explains
    .map((model) => ({
      model,
      reasons: runner.contributions.filter((reason) => reason.model === model).slice(0, MAX_REASONS),
    }))
    .filter(({ reasons }) => reasons.length > 0)
  if (byModel.length === 0) return null
  return (
    <>
      <div className={styles.models}>
        {byModel.map(({ model, reasons }) => (
          <div key={model} className={styles.reasons} data-reasons={model}>
            <Small as="span">
              <FormattedMessage
                id="race.reasons"
                values={{ model: intl.formatMessage({ id: `source.${model}` }) }}
              />
            </Small>
            <ReasonList reasons={reasons} />
          </div>
        ))}
      </div>
      <Small text="race.reasonFactor" />
    </>
  )
}

type Reason = RaceReport['runners'][number]['contributions'][number]

/**
 * Reasons as sentences with bars. A contribution is a change of the log-odds: its exponential is what it multiplies the
 * odds on a win by, a figure that needs no logarithm.
 */
function ReasonList({ reasons }: { reasons: readonly Reason[] }) {
  const intl = useIntl()
  const format = useFormat()
  const most = Math.max(...reasons.map(({ value }) => Math.abs(value)), 0.01)
  /** The largest in its direction. */
  const largest = [reasons.find(({ value }) => value >= 0), reasons.find(({ value }) => value < 0)]
  const factorOf = ({ value }: Reason): string => `× ${format.decimal(Math.exp(value), 2)}`
  return (
    <ul>
      {reasons.map((reason) => (
        <li key={reason.feature} className={styles.reason}>
          <FormattedMessage
            id="race.reason"
            tagName="span"
            values={{
              direction: reason.value < 0 ? 'lowers' : 'raises',
              most: largest.includes(reason) ? 'yes' : 'no',
              feature: intl.formatMessage({ id: `featureGroup.${reason.feature}` }),
            }}
          />
          <SignedBar value={reason.value} most={most} />
          <span className={styles.factor}>{factorOf(reason)}</span>
        </li>
      ))}
    </ul>
  )
}

/** The runs of a horse before a day, newest first. */
function LastRuns({ before, horseId }: { before: string; horseId: string }) {
  const intl = useIntl()
  const horse = useQuery({
    ...queryFor(queryHorseInfo, { id: horseId }, intl.locale),
    staleTime: 300_000,
    retry: 1,
  })
  if (horse.error) return <ErrorNotice error={horse.error} onRetry={() => void horse.refetch()} />
  if (!horse.data) return <Skeleton height={120} />
  // For a past race only the runs before it are relevant.
  const runs = horse.data.form.filter(({ date }) => date < before).slice(0, LAST_RUNS)
  if (runs.length === 0) return <FormattedMessage id="race.noRuns" tagName="p" />
  return (
    <section aria-label={intl.formatMessage({ id: 'race.lastRunsOf' }, { horse: horse.data.name })}>
      <Small text="race.lastRuns" />
      <List as="ol" className={styles.runs}>
        {runs.map((run) => (
          <LastRun key={`${run.date} ${run.raceId}`} run={run} />
        ))}
      </List>
    </section>
  )
}

/** An earlier run: when and where, how it ended, and who rode with which weight at which odds. */
function LastRun({ run }: { run: Horse['form'][number] }) {
  const intl = useIntl()
  const format = useFormat()
  const words = useRaceWords()
  const { raceId, date, place, margin, finishTimeMs, draw, actualWeightLb, odds } = run
  const rank = rankOf(place ?? '')
  const say = (id: string, values: Record<string, string | number>): string =>
    intl.formatMessage({ id }, values)
  const day = <time dateTime={date}>{format.day(date)}</time>
  return (
    <li>
      <span>
        {raceId === null ? day : <Link to={`/pages/race/HorseRace?id=${raceId}`}>{day}</Link>}
        <Small as="span">
          {joined([
            run.stadiumName,
            run.distanceM === null ? null : distanceText({ intl, format }, run.distanceM, raceId ?? ''),
            words.going(run.going),
          ])}
        </Small>
      </span>
      <span>
        <strong>{rank === null ? (place ?? '–') : say('race.place', { rank })}</strong>
        <Small as="span">
          {joined([
            rank === null || rank === 1 || margin === null
              ? null
              : say('race.behind', { margin: words.margin(margin)! }),
            finishTimeMs === null ? null : format.runningTime(finishTimeMs),
          ])}
        </Small>
      </span>
      <span>
        <PersonName name={run.jockeyName} language={run.jockeyLanguage} />
        <Small as="span">
          {joined([
            draw === null ? null : say('race.drawOf', { draw }),
            actualWeightLb === null ? null : weightText({ intl, format }, actualWeightLb, raceId ?? ''),
            odds === null ? null : say('record.oddsAre', { odds: format.odds(odds) }),
          ])}
        </Small>
      </span>
    </li>
  )
}

const joined = (parts: readonly (string | null)[]): string =>
  parts.filter((part) => part !== null).join(BETWEEN_FACTS)
