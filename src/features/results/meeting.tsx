import { ArrowRight, Check, ChevronDown, ChevronRight, LockKeyhole, Minus, X } from 'lucide-react'
import { FormattedMessage, useIntl } from 'react-intl'
import { Link } from 'react-router-dom'
import { useWide } from '../../ui/behaviour/use-wide.ts'
import { numberOf, numberOrNull, textOf, type AnswerRow } from '../../../analytics/cells.ts'
import { distanceText } from '../../i18n/measures.ts'
import { useFormat } from '../../i18n/format.ts'
import { useLanguage } from '../../i18n/language-provider.tsx'
import { Name } from '../../i18n/name.tsx'
import { localName, type LocalName } from '../../i18n/names.ts'
import { useRaceWords } from '../../i18n/race-words.ts'
import { Small } from '../../ui/layout.tsx'
import { NumberCloth, NumbersOf } from '../../ui/number-cloth.tsx'
import { Hidden } from '../../ui/panel.tsx'
import { Silks } from '../../ui/silks.tsx'
import { useDaySilks, useNumberedByName, type Pick } from './use-results.ts'
import styles from './results.module.css'
import { Fragment, useEffect, useRef, type ReactNode } from 'react'
import { showWithin } from '../../ui/behaviour/show-within.ts'
import { BETWEEN_FACTS } from '../../i18n/between-facts.ts'

/** Width of the window from which on there is room for silks beside the names, in pixels. */
const SILKS_WIDTH = 600

interface MeetingProps {
  /** Races of one racecourse and day. */
  races: readonly AnswerRow[]
  picks: ReadonlyMap<string, Pick> | null
  /** Whether the pick of a race, where it is missing, is hidden from the user; otherwise there is none. */
  isHidden(race: AnswerRow): boolean
  /** Whether its races are shown. */
  open: boolean
  onToggle(): void
  /** Address of a race. */
  hrefOf(raceId: string): string
}

/** One meeting: the total of the win picks, and opened the pick and the winner of each race. */
export function Meeting({ races, picks, isHidden, open, onToggle, hrefOf }: MeetingProps) {
  const format = useFormat()
  const { language } = useLanguage()
  const [first] = races
  const course = localName(language, first!, 'racecourse')
  return (
    <section className={styles.meeting} data-testid="meeting">
      <header className={styles.head}>
        <h2>
          <button type="button" className={styles.toggle} aria-expanded={open} onClick={onToggle}>
            {format.longDay(textOf(first!, 'day'))}
            {BETWEEN_FACTS}
            <Name language={course?.language}>{course?.text}</Name>
          </button>
        </h2>
        <Summary races={races} picks={picks} />
        {open ? null : (
          <span className={styles.hint} aria-hidden="true">
            <FormattedMessage id="results.tapToView" />
          </span>
        )}
        <ChevronDown
          aria-hidden="true"
          size={18}
          className={open ? `${styles.dayChevron} ${styles.up}` : styles.dayChevron}
        />
      </header>
      {open ? <ColumnNames /> : null}
      {open ? <Races races={races} picks={picks} isHidden={isHidden} hrefOf={hrefOf} /> : null}
    </section>
  )
}

function Races({ races, picks, isHidden, hrefOf }: Omit<MeetingProps, 'open' | 'onToggle'>) {
  // On a phone there is room for the names only.
  const silks = useDaySilks(textOf(races[0]!, 'race_id'), useWide(SILKS_WIDTH))
  const byName = useNumberedByName(textOf(races[0]!, 'race_id'))
  return (
    <ol className={styles.races}>
      {races.map((race) => {
        const raceId = textOf(race, 'race_id')
        return (
          <li key={raceId}>
            <NumbersOf race={byName && { numbersByName: byName.has(raceId) }}>
              <Race
                href={hrefOf(raceId)}
                hidden={isHidden(race)}
                race={race}
                pick={picks === null ? undefined : (picks.get(raceId) ?? null)}
                silksOf={(number) => silks.get(raceId)?.get(number) ?? null}
              />
            </NumbersOf>
          </li>
        )
      })}
    </ol>
  )
}

function Summary({ races, picks }: Omit<MeetingProps, 'hrefOf' | 'isHidden' | 'open' | 'onToggle'>) {
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
          {BETWEEN_FACTS}
          <strong className={profit > 0 ? styles.gain : profit < 0 ? styles.loss : ''}>
            {format.signedMoney(profit)}
          </strong>
        </>
      ) : null}
      {origins.map((origin) => `${BETWEEN_FACTS}${intl.formatMessage({ id: `origin.${origin}` })}`)}
    </p>
  )
}

const numbersOf = (result: string): number[] => result.split('-').map(Number)

interface RaceProps {
  race: AnswerRow
  /** `undefined` while it is loading, `null` if there is none that the user may see. */
  pick: Pick | null | undefined
  /** Whether a missing one is hidden from the user. */
  hidden: boolean
  href: string
  /** What the jockey of a number wore; `null` if it is unknown. */
  silksOf(number: number): string | null
}

function Race({ race, pick, hidden, href, silksOf }: RaceProps) {
  const intl = useIntl()
  const format = useFormat()
  const { language } = useLanguage()
  const words = useRaceWords()
  const name = localName(language, race, 'race_name')
  const metres = numberOrNull(race, 'distance')
  const raceClass = race['race_class']
  const facts = [
    typeof raceClass === 'string' ? words.raceClass(raceClass) : null,
    metres && distanceText({ intl, format }, metres, textOf(race, 'race_id')),
  ].filter(Boolean)
  return (
    <Link to={href} className={styles.race}>
      <span className={styles.number}>
        <FormattedMessage id="results.race" values={{ number: numberOf(race, 'race_no') }} />
      </span>
      <span className={styles.facts}>
        {name === null ? null : <Name language={name.language}>{name.text}</Name>}
        {name === null || facts.length === 0 ? null : BETWEEN_FACTS}
        {facts.join(BETWEEN_FACTS)}
      </span>
      {textOf(race, 'status') === 'abandoned' ? (
        <span className={styles.numbers}>
          <FormattedMessage id="raceStatus.abandoned" />
        </span>
      ) : (
        <Finishers race={race} pick={pick} hidden={hidden} silksOf={silksOf} />
      )}
      <Outcome pick={pick ?? null} />
      <ChevronRight aria-hidden="true" size={16} className={styles.chevron} />
    </Link>
  )
}

/** The first pick and the winner by name, and the numbers of the picks and of the first four. */
function Finishers({ race, pick, hidden, silksOf }: Omit<RaceProps, 'href'>) {
  const { language } = useLanguage()
  const result = race['result']
  const finish = typeof result === 'string' ? numbersOf(result) : null
  const isLocked = pick === null && hidden
  return (
    <>
      <span className={styles.horses}>
        <Horse
          text="results.pick"
          number={pick?.horses[0] ?? null}
          name={pick?.name ?? null}
          locked={isLocked}
          silksOf={silksOf}
        />
        <Horse
          text="results.winner"
          number={finish?.[0] ?? null}
          name={localName(language, race, 'winner')}
          silksOf={silksOf}
          won
        />
      </span>
      <span className={styles.numbers}>
        <Numbers label="results.picked" numbers={pick?.horses ?? null} locked={isLocked} against={finish} />
        <ArrowRight aria-hidden="true" size={14} className={styles.arrow} />
        <Numbers label="results.finished" numbers={finish} locked={false} against={null} />
      </span>
    </>
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

/** What the parts of a race are, above the first one on wide screens; each race says it to screen readers. */
const ColumnNames = () => (
  <div className={styles.columns} aria-hidden="true">
    <span className={styles.pick}>
      <FormattedMessage id="results.pick" />
    </span>
    <span className={styles.winner}>
      <FormattedMessage id="results.winner" />
    </span>
    <span className={styles.numbers}>
      <FormattedMessage id="results.numbers" />
    </span>
    <span className={styles.outcome}>
      <FormattedMessage id="results.bet" />
    </span>
  </div>
)

interface HorseProps {
  /** Message id of what the horse was. */
  text: string
  /** Its saddle number; `null` if unknown. */
  number: number | null
  name: LocalName | null
  silksOf: RaceProps['silksOf']
  locked?: boolean
  /** Whether it is the winner. */
  won?: boolean
}

/** A horse by number and name, with what it was above it. */
const Horse = ({ text, number, name, silksOf, locked = false, won = false }: HorseProps) => (
  <span className={`${styles.horse} ${won ? styles.winner : styles.pick}`}>
    <span className={styles.label}>
      <FormattedMessage id={text} />
    </span>
    <span className={styles.named}>
      {number === null && !locked ? '–' : <NumberCloth value={number} small tone={won ? 'first' : 'plain'} />}
      {number === null ? null : <Silks text={silksOf(number)} small />}
      {name === null ? null : (
        <span className={styles.name}>
          <Name language={name.language}>{name.text}</Name>
        </span>
      )}
    </span>
  </span>
)

const MARKS = { hit: Check, miss: X, void: Minus } as const
const TONES = { hit: styles.hit, miss: styles.miss, void: styles.void } as const

/** Whether the pick to win won, in words and by its frame, and its profit. */
function Outcome({ pick }: { pick: Pick | null }) {
  const intl = useIntl()
  const format = useFormat()
  if (pick === null) return <span className={styles.outcome} />
  const outcome = pick.outcome === 'hit' || pick.outcome === 'void' ? pick.outcome : 'miss'
  const Mark = MARKS[outcome]
  return (
    <span className={styles.outcome}>
      <span className={`${styles.badge} ${TONES[outcome]}`}>
        <Mark aria-hidden="true" size={14} strokeWidth={outcome === 'hit' ? 3 : 2} />
        <FormattedMessage id={`outcome.${outcome}`} />
      </span>{' '}
      <span className={styles.profit}>
        {pick.profit === null
          ? intl.formatMessage({ id: 'record.unknownShort' })
          : format.signedMoney(pick.profit)}
      </span>
    </span>
  )
}

const inGreen = (words: ReactNode) => <span className={styles.right}>{words}</span>

/** What marks and colours of the list mean. */
export const ResultsLegend = () => (
  <Small>
    <span className={`${styles.badge} ${styles.hit}`}>
      <Check aria-hidden="true" size={14} strokeWidth={3} />
      <FormattedMessage id="outcome.hit" />
    </span>{' '}
    <FormattedMessage id="results.legend" values={{ green: inGreen }} />
  </Small>
)

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
  // From the month that has the focus: the one that is shown follows later when keys are pressed in quick succession.
  const moveTo = (next: string | undefined): void => {
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
      {months.map((month, at) => (
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
            if (event.key === 'ArrowRight') moveTo(months[at + 1])
            if (event.key === 'ArrowLeft') moveTo(months[at - 1])
          }}
        >
          {format.month(month)}
        </button>
      ))}
    </div>
  )
}
