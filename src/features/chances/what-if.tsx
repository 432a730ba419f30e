import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import type { Competitor, RaceInfo } from '../../../contract/api/racing.ts'
import { queryTrial } from '../../../contract/api/trial.ts'
import { askAgain, queryFor } from '../../data/client/call.ts'
import { useToken } from '../../data/client/session.ts'
import { ExtraTexts } from '../../i18n/extra-texts.tsx'
import { useFormat } from '../../i18n/format.ts'
import { numberedName } from '../../i18n/names.ts'
import { Button } from '../../ui/button.tsx'
import { Badge, ColumnHeadings, List, Small, Table, TextCell } from '../../ui/layout.tsx'
import { ErrorNotice, Panel, Skeleton } from '../../ui/panel.tsx'
import texts from '../../ui/text.module.css'
import { NOTHING_TRIED, type Tried, type TrialRunner } from './tried.ts'
import { RunnerControls, TriedList, type BoardProps } from './what-if-controls.tsx'
import styles from './what-if.module.css'

const HEIGHT = 480

interface WhatIfProps {
  race: RaceInfo
  runners: readonly Competitor[]
}

/** What the model without odds would say of the race with another card: a trial that is never stored. */
export default function WhatIf(props: WhatIfProps) {
  const waiting = <Skeleton height={HEIGHT} />
  return (
    <ExtraTexts part="race" waiting={waiting}>
      <ExtraTexts part="trial" waiting={waiting}>
        <Trials {...props} />
      </ExtraTexts>
    </ExtraTexts>
  )
}

/** The query of the trial of a card. */
function useTrialQuery(raceId: string) {
  const { locale } = useIntl()
  const token = useToken()
  return ({ going, changes }: Tried) => {
    const input = { raceId, changes: [...changes], ...(going === null ? {} : { going }) }
    return { ...queryFor(queryTrial, input, locale, token), staleTime: 60_000, retry: 1 }
  }
}

/** Asks again when the race has changed: its runners are read anew then. */
function useAskedAgain(runners: readonly Competitor[]): void {
  const client = useQueryClient()
  const known = useRef(runners)
  useEffect(() => {
    if (known.current === runners) return
    known.current = runners
    void askAgain(client, queryTrial)
  }, [client, runners])
}

function Trials({ race, runners }: WhatIfProps) {
  const [tried, setTried] = useState(NOTHING_TRIED)
  const client = useQueryClient()
  const queryOf = useTrialQuery(race.raceId)
  const declared = useQuery(queryOf(NOTHING_TRIED))
  // While the next one is computed, the one before stays.
  const answer = useQuery({ ...queryOf(tried), placeholderData: keepPreviousData })
  useAskedAgain(runners)
  const card = declared.data?.trial
  return (
    <Panel
      title={
        <span className={styles.title}>
          <FormattedMessage id="trial.title" />
          <Badge tone="loss">
            <FormattedMessage id="trial.mark" />
          </Badge>
        </span>
      }
      actions={
        <Button
          onClick={() => setTried(NOTHING_TRIED)}
          text="trial.reset"
          disabled={tried.going === null && tried.changes.length === 0}
        />
      }
    >
      {declared.error && !declared.data ? (
        <ErrorNotice error={declared.error} onRetry={() => void declared.refetch()} />
      ) : declared.data === undefined ? (
        <Skeleton height={HEIGHT} />
      ) : card ? (
        <>
          <Small>
            <Lead model={card.model} coming={race.status === 'scheduled'} />
          </Small>
          {answer.error ? <ErrorNotice error={answer.error} onRetry={() => void answer.refetch()} /> : null}
          <Board
            race={race}
            names={new Map(runners.map((runner) => [runner.horseNumber, numberedName(runner)]))}
            card={card}
            trial={answer.error ? null : (answer.data?.trial ?? null)}
            waiting={answer.isPlaceholderData}
            tried={tried}
            onTry={(next) => {
              // The answer is under way while the change is drawn.
              void client.prefetchQuery(queryOf(next))
              setTried(next)
            }}
          />
        </>
      ) : (
        <FormattedMessage id={`trial.missing.${declared.data.missing ?? 'version'}`} tagName="p" />
      )}
    </Panel>
  )
}

function Lead({ model, coming }: { model: string; coming: boolean }) {
  const intl = useIntl()
  return (
    <FormattedMessage
      id="trial.lead"
      values={{ model: intl.formatMessage({ id: `source.${model}` }), coming: String(coming) }}
    />
  )
}

/** What can be changed, and the chances of all runners before and after. */
function Board(props: BoardProps) {
  const { card, trial, names, waiting } = props
  const sorted = card.runners.toSorted((a, b) => b.before - a.before)
  const [chosen, setChosen] = useState(sorted[0]!.horseNumber)
  const runner = card.runners.find(({ horseNumber }) => horseNumber === chosen) ?? sorted[0]!
  const after = new Map(trial?.runners.map((each) => [each.horseNumber, each]))
  return (
    <div className={styles.board}>
      <div className={styles.controls}>
        <RunnerControls {...props} runner={runner} onChoose={setChosen} />
        <TriedList {...props} />
      </div>
      <Table
        className={styles.table}
        data-testid="trial"
        data-model={card.model}
        data-settled={waiting ? undefined : ''}
        aria-busy={waiting}
      >
        <ColumnHeadings ids={['race.horse', 'trial.before', 'trial.after', 'trial.difference']} />
        <tbody>
          {sorted.map(({ horseNumber }) => (
            <Line
              key={horseNumber}
              name={names.get(horseNumber) ?? String(horseNumber)}
              before={card.runners.find((each) => each.horseNumber === horseNumber)!.before}
              after={after.get(horseNumber)}
              isChosen={horseNumber === runner.horseNumber}
              onChoose={() => setChosen(horseNumber)}
            />
          ))}
        </tbody>
      </Table>
      <Why
        name={names.get(runner.horseNumber) ?? String(runner.horseNumber)}
        of={after.get(runner.horseNumber)}
      />
    </div>
  )
}

interface LineProps {
  name: string
  before: number
  after: TrialRunner | undefined
  isChosen: boolean
  onChoose(): void
}

/** A smaller difference of probabilities is shown as none. */
const NO_DIFFERENCE = 0.0005

function Line({ name, before, after, isChosen, onChoose }: LineProps) {
  const format = useFormat()
  const difference = after === undefined || after.after === null ? null : after.after - before
  const tone =
    difference === null || Math.abs(difference) < NO_DIFFERENCE
      ? texts.soft
      : difference > 0
        ? texts.gain
        : texts.loss
  return (
    <tr data-chosen={isChosen || undefined}>
      <TextCell as="th" scope="row">
        <button type="button" className={styles.choose} aria-pressed={isChosen} onClick={onChoose}>
          {name}
        </button>
      </TextCell>
      <td>{format.chance(before)}</td>
      <td data-after="">
        {after?.after === null ? (
          <FormattedMessage id="race.withdrawn" />
        ) : after === undefined ? (
          '–'
        ) : (
          format.chance(after.after)
        )}
      </td>
      <td className={tone}>{difference === null ? '–' : format.signedDecimal(100 * difference, 1)}</td>
    </tr>
  )
}

/** A factor that rounds to 1 tells nothing. */
const TOLD = 0.005

/** What leads from the chance before to the one after, for the chosen runner. */
function Why({ name, of }: { name: string; of: TrialRunner | undefined }) {
  const intl = useIntl()
  const format = useFormat()
  if (of === undefined) return null
  const told = of.reasons.filter(({ value }) => Math.abs(Math.expm1(value)) >= TOLD)
  const isSame = of.after !== null && of.reasons.length === 0
  const wordOf = (feature: string): string =>
    intl.formatMessage({ id: feature === 'field' ? 'trial.field' : `featureGroup.${feature}` })
  return (
    <div className={styles.why} data-testid="trial-why">
      <p role="status">
        <FormattedMessage
          id={of.after === null ? 'trial.out' : isSame ? 'trial.same' : 'trial.changed'}
          values={{
            horse: name,
            before: format.chance(of.before),
            after: of.after === null ? '' : format.chance(of.after),
          }}
        />
      </p>
      <List>
        {told.map(({ feature, value }) => (
          <li key={feature} data-feature={feature}>
            <FormattedMessage
              id="trial.factor"
              values={{ feature: wordOf(feature), factor: format.decimal(Math.exp(value), 2) }}
            />
          </li>
        ))}
      </List>
      {told.length === 0 ? null : <Small text="trial.factors" />}
    </div>
  )
}
