import { ArrowRight, Check, ChevronRight, LockKeyhole, Minus, X } from 'lucide-react'
import { FormattedMessage, useIntl } from 'react-intl'
import { Link } from 'react-router-dom'
import { numberOf, numberOrNull, textOf, type AnswerRow } from '../../data/analytics/cells.ts'
import { useFormat } from '../../i18n/format.ts'
import { useLanguage } from '../../i18n/language-provider.tsx'
import { localName } from '../../i18n/names.ts'
import { useRaceWords } from '../../i18n/race-words.ts'
import { NumberCloth } from '../../ui/number-cloth.tsx'
import { Hidden } from '../../ui/panel.tsx'
import type { Pick } from './use-results.ts'
import styles from './results.module.css'
import { Fragment, useEffect, useRef } from 'react'
import { showWithin } from '../../ui/behaviour/show-within.ts'

interface MeetingProps {
  /** Races of one racecourse and day. */
  races: readonly AnswerRow[]
  picks: ReadonlyMap<string, Pick> | null
  /** Whether all predictions are visible: a missing one was never made. */
  whole: boolean
  /** Address of a race. */
  hrefOf(raceId: string): string
}

/** One meeting: the picks, the winners, and the total of the win picks. */
export function Meeting({ races, picks, whole, hrefOf }: MeetingProps) {
  const format = useFormat()
  const { language } = useLanguage()
  const [first] = races
  const course = localName(language, first!, 'racecourse')?.text ?? ''
  return (
    <section className={styles.meeting} data-testid="meeting">
      <header className={styles.head}>
        <h2>
          {format.longDay(textOf(first!, 'day'))} · {course}
        </h2>
        <Summary races={races} picks={picks} />
      </header>
      <ol className={styles.races}>
        {races.map((race) => (
          <li key={textOf(race, 'race_id')}>
            <Race
              href={hrefOf(textOf(race, 'race_id'))}
              whole={whole}
              race={race}
              pick={picks === null ? undefined : (picks.get(textOf(race, 'race_id')) ?? null)}
            />
          </li>
        ))}
      </ol>
    </section>
  )
}

function Summary({ races, picks }: Omit<MeetingProps, 'hrefOf' | 'whole'>) {
  const intl = useIntl()
  const format = useFormat()
  const predictions = races.flatMap((race) => picks?.get(textOf(race, 'race_id')) ?? [])
  const bets = predictions.filter(({ outcome }) => outcome !== 'void')
  if (bets.length === 0)
    return (
      <p className={styles.soft}>
        <FormattedMessage id="races.count" values={{ count: races.length }} />
      </p>
    )
  const known = bets.every(({ profit }) => profit !== null)
  const profit = bets.reduce((sum, bet) => sum + (bet.profit ?? 0), 0)
  const origins = [...new Set(predictions.map(({ origin }) => origin))]
  return (
    <p className={styles.soft}>
      <FormattedMessage
        id="results.summary"
        values={{
          hits: format.integer(bets.filter(({ outcome }) => outcome === 'hit').length),
          bets: format.integer(bets.length),
        }}
      />
      {known ? (
        <>
          {' · '}
          <strong className={profit > 0 ? styles.gain : profit < 0 ? styles.loss : ''}>
            {format.signedMoney(profit)}
          </strong>
        </>
      ) : null}
      {origins.map((origin) => ` · ${intl.formatMessage({ id: `origin.${origin}` })}`)}
    </p>
  )
}

const numbersOf = (result: string): number[] => result.split('-').map(Number)

interface RaceProps {
  race: AnswerRow
  /** `undefined` while it is loading, `null` if there is none that the user may see. */
  pick: Pick | null | undefined
  whole: boolean
  href: string
}

function Race({ race, pick, whole, href }: RaceProps) {
  const intl = useIntl()
  const format = useFormat()
  const { language } = useLanguage()
  const words = useRaceWords()
  const name = localName(language, race, 'race_name')?.text
  const result = race['result']
  const finish = typeof result === 'string' ? numbersOf(result) : null
  const metres = numberOrNull(race, 'distance')
  const raceClass = race['race_class']
  const facts = [
    name,
    typeof raceClass === 'string' ? words.raceClass(raceClass) : null,
    metres && intl.formatMessage({ id: 'record.metres' }, { metres: format.integer(metres) }),
  ].filter(Boolean)
  return (
    <Link to={href} className={styles.race}>
      <span className={styles.number}>
        <FormattedMessage id="results.race" values={{ number: numberOf(race, 'race_no') }} />
      </span>
      <span className={styles.facts}>{facts.join(' · ')}</span>
      <span className={styles.numbers}>
        {textOf(race, 'status') === 'abandoned' ? (
          <FormattedMessage id="raceStatus.abandoned" />
        ) : (
          <>
            <Numbers
              label="results.picked"
              numbers={pick?.horses ?? null}
              locked={pick === null && !whole}
              against={finish}
            />
            <ArrowRight aria-hidden="true" size={14} className={styles.arrow} />
            <Numbers label="results.finished" numbers={finish} isResult />
          </>
        )}
      </span>
      <Outcome pick={pick ?? null} />
      <ChevronRight aria-hidden="true" size={16} className={styles.chevron} />
    </Link>
  )
}

interface NumbersProps {
  label: string
  /** `null` if unknown. */
  numbers: readonly number[] | null
  locked?: boolean
  /** Whether they are the finishing order, whose first is the winner. */
  isResult?: boolean
  /** The finishing order: numbers among its first four are highlighted, as on the race's page. */
  against?: readonly number[] | null
}

const FIRST_FOUR = 4

function Numbers({ label, numbers, locked = false, isResult = false, against = null }: NumbersProps) {
  const intl = useIntl()
  return (
    <span className={styles.four}>
      <Hidden>{intl.formatMessage({ id: label })} </Hidden>
      {locked ? (
        <>
          <LockKeyhole aria-hidden="true" size={14} />
          <Hidden>{intl.formatMessage({ id: 'results.locked' })}</Hidden>
        </>
      ) : numbers === null ? (
        '–'
      ) : (
        numbers.map((number, index) => (
          <Fragment key={number}>
            <Hidden>{index > 0 ? ', ' : ''}</Hidden>
            <NumberCloth
              small
              value={number}
              tone={
                against?.slice(0, FIRST_FOUR).includes(number)
                  ? 'hit'
                  : index === 0 && isResult
                    ? 'first'
                    : 'plain'
              }
            />
          </Fragment>
        ))
      )}
    </span>
  )
}

const MARKS = { hit: Check, miss: X, void: Minus } as const

function Outcome({ pick }: { pick: Pick | null }) {
  const intl = useIntl()
  const format = useFormat()
  if (pick === null) return <span className={styles.outcome} />
  const outcome = pick.outcome === 'hit' || pick.outcome === 'void' ? pick.outcome : 'miss'
  const Mark = MARKS[outcome]
  return (
    <span className={`${styles.outcome} ${outcome === 'hit' ? styles.gain : styles.soft}`}>
      {intl.formatMessage({ id: 'gameplay.1' })}{' '}
      <Mark aria-label={intl.formatMessage({ id: `outcome.${outcome}` })} role="img" size={16} />{' '}
      <span className={styles.profit}>
        {pick.profit === null
          ? intl.formatMessage({ id: 'record.unknownShort' })
          : format.signedMoney(pick.profit)}
      </span>
    </span>
  )
}

interface MonthStripProps {
  /** `yyyy-mm`, newest first. */
  months: readonly string[]
  value: string | null
  onChange(month: string): void
}

/** Months with races side by side, newest first. */
export function MonthStrip({ months, value, onChange }: MonthStripProps) {
  const intl = useIntl()
  const format = useFormat()
  const strip = useRef<HTMLDivElement>(null)
  const chosen = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    showWithin(strip.current, chosen.current)
  }, [value])
  const move = (by: number): void => {
    const next = months[months.indexOf(value ?? '') + by]
    if (next === undefined) return
    onChange(next)
    strip.current?.querySelector<HTMLElement>(`[data-month="${next}"]`)?.focus()
  }
  return (
    <div
      ref={strip}
      role="group"
      aria-label={intl.formatMessage({ id: 'results.month' })}
      className={styles.months}
    >
      {months.map((month) => (
        <button
          key={month}
          ref={month === value ? chosen : null}
          type="button"
          className={styles.month}
          aria-pressed={month === value}
          data-month={month}
          // A single tab stop for the strip: arrow keys move between months.
          tabIndex={month === value ? 0 : -1}
          onClick={() => onChange(month)}
          onKeyDown={(event) => {
            if (event.key === 'ArrowRight') move(1)
            if (event.key === 'ArrowLeft') move(-1)
          }}
        >
          {format.month(month)}
        </button>
      ))}
    </div>
  )
}
