import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ListChecks } from 'lucide-react'
import { useId } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { queryMarks, writeMark, type Mark, type MarkedRunner } from '../../../contract/api/mark.ts'
import type { Competitor, RaceInfo } from '../../../contract/api/racing.ts'
import { OWN_ODDS_RANGE, RATING_RANGE } from '../../../contract/mark-limits.ts'
import { call, keyOf, queryFor } from '../../data/client/call.ts'
import { useToken } from '../../data/client/session.ts'
import { useMinute } from '../../data/use-now.ts'
import { BETWEEN_FACTS } from '../../i18n/between-facts.ts'
import { ExtraTexts } from '../../i18n/extra-texts.tsx'
import { useFormat } from '../../i18n/format.ts'
import { Button } from '../../ui/button.tsx'
import fieldStyles from '../../ui/fields/field.module.css'
import { NumberField } from '../../ui/fields/number-field.tsx'
import { Row, Small, Stack } from '../../ui/layout.tsx'
import { ErrorNotice, Hidden } from '../../ui/panel.tsx'
import styles from './runner-marks.module.css'

const MARKS_STALE_MS = 300_000

const NO_MARK: Mark = { rating: null, odds: null, shortlisted: false }

interface RunnerMarksProps {
  race: RaceInfo
  runner: Competitor
}

/**
 * The user's own rating and odds of a runner and whether it is on the shortlist, stored as they are changed, until the race
 * starts; beside them what the user thought of the horse in its last marked race. Nothing for visitors.
 */
export function RunnerMarks({ race, runner }: RunnerMarksProps) {
  const token = useToken()
  const now = useMinute()
  const { raceId } = race
  const marks = useQuery({
    ...queryFor(queryMarks, token === null ? null : { raceId }, token),
    staleTime: MARKS_STALE_MS,
    retry: 1,
  })
  if (token === null || (marks.isPending && !marks.error)) return null
  if (marks.error) return <ErrorNotice error={marks.error} onRetry={() => void marks.refetch()} />
  const { horseId } = runner
  const marked = marks.data?.find((each) => each.horseId === horseId) ?? { horseId, own: null, before: null }
  const isOpen =
    race.status === 'scheduled' && (race.competitionDate === null || Date.parse(race.competitionDate) > now)
  if (!isOpen && marked.own === null) return null
  return (
    <Stack tight>
      {isOpen ? (
        <Fields raceId={raceId} marked={marked} />
      ) : (
        <Small>
          <FormattedMessage id="marks.own" values={{ mark: <MarkText mark={marked.own!} /> }} />
        </Small>
      )}
      <Before marked={marked} />
    </Stack>
  )
}

/** Marks a runner that is on the user's shortlist. */
export function ShortlistMark({ raceId, horseId }: { raceId: string; horseId: string }) {
  const token = useToken()
  const { data = [] } = useQuery({
    ...queryFor(queryMarks, token === null ? null : { raceId }, token),
    staleTime: MARKS_STALE_MS,
    retry: 1,
  })
  if (!data.some((each) => each.horseId === horseId && each.own?.shortlisted === true)) return null
  return (
    <ExtraTexts part="race" waiting={null}>
      <ListChecks aria-hidden="true" size={14} className={styles.mark} />
      <Hidden>
        {' '}
        <FormattedMessage id="marks.shortlisted" />
      </Hidden>
    </ExtraTexts>
  )
}

/** What the user thought of the horse in its last marked race. */
function Before({ marked: { before } }: { marked: MarkedRunner }) {
  const format = useFormat()
  if (before === null) return null
  return (
    <Small>
      <FormattedMessage
        id="marks.before"
        values={{ day: format.day(before.date), mark: <MarkText mark={before} /> }}
      />
    </Small>
  )
}

function MarkText({ mark: { rating, odds, shortlisted } }: { mark: Mark }) {
  const intl = useIntl()
  const format = useFormat()
  return [
    ...(shortlisted ? [intl.formatMessage({ id: 'marks.shortlisted' })] : []),
    ...(rating === null ? [] : [intl.formatMessage({ id: 'marks.ratingIs' }, { rating })]),
    ...(odds === null ? [] : [intl.formatMessage({ id: 'marks.oddsAre' }, { odds: format.odds(odds) })]),
  ].join(BETWEEN_FACTS)
}

function Fields({ raceId, marked: { horseId, own, before } }: { raceId: string; marked: MarkedRunner }) {
  const client = useQueryClient()
  const format = useFormat()
  const ids = useId()
  const key = keyOf(queryMarks, { raceId }, useToken())
  const show = (mark: Mark | null): void => {
    client.setQueryData<MarkedRunner[]>(key, (marks = []) => [
      ...marks.filter((each) => each.horseId !== horseId),
      { horseId, own: mark, before },
    ])
  }
  const saving = useMutation<unknown, Error, Mark>({
    mutationFn: (mark) => call(writeMark, { raceId, horseId, ...mark }),
    // One after the other, so that the last change is the one that is stored.
    scope: { id: `mark ${raceId} ${horseId}` },
    onMutate: show,
    onError: () => client.invalidateQueries({ queryKey: key }),
  })
  const mark = own ?? NO_MARK
  const change = (changed: Partial<Mark>): void => {
    // A field that is left by a click on another one has changed what this one was rendered with.
    const newest = client.getQueryData<MarkedRunner[]>(key)?.find((each) => each.horseId === horseId)?.own
    saving.mutate({ ...(newest ?? NO_MARK), ...changed })
  }
  return (
    <>
      <Row className={styles.fields}>
        <Button
          aria-pressed={mark.shortlisted}
          className={mark.shortlisted ? styles.listed : ''}
          onClick={() => change({ shortlisted: !mark.shortlisted })}
          text="marks.shortlist"
        />
        <label htmlFor={`${ids}rating`} className={fieldStyles.field}>
          <FormattedMessage id="marks.rating" />
          <NumberField
            id={`${ids}rating`}
            {...RATING_RANGE}
            places={0}
            value={mark.rating}
            {...(before?.rating ? { placeholder: format.integer(before.rating) } : {})}
            className={`${fieldStyles.control} ${styles.number}`}
            onChange={(rating) => change({ rating })}
          />
        </label>
        <label htmlFor={`${ids}odds`} className={fieldStyles.field}>
          <FormattedMessage id="marks.odds" />
          <NumberField
            id={`${ids}odds`}
            {...OWN_ODDS_RANGE}
            step={0.1}
            value={mark.odds}
            {...(before?.odds ? { placeholder: format.odds(before.odds) } : {})}
            className={`${fieldStyles.control} ${styles.number}`}
            onChange={(odds) => change({ odds })}
          />
        </label>
      </Row>
      {saving.error ? <ErrorNotice error={saving.error} /> : null}
    </>
  )
}
