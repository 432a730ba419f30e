import { X } from 'lucide-react'
import { useId } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import type { RaceInfo } from '../../../contract/api/racing.ts'
import type { Trial } from '../../../contract/api/trial.ts'
import { gearItems } from '../../../domain/gear.ts'
import { useFormat } from '../../i18n/format.ts'
import { useRaceWords } from '../../i18n/race-words.ts'
import { Button } from '../../ui/button.tsx'
import fieldStyles from '../../ui/fields/field.module.css'
import { NumberField } from '../../ui/fields/number-field.tsx'
import { SelectField } from '../../ui/fields/select.tsx'
import { List, Small } from '../../ui/layout.tsx'
import {
  CHANGEABLE,
  gearChoices,
  goingChoices,
  triedRunner,
  withChange,
  withDraw,
  withoutChange,
  type Changeable,
  type Tried,
  type TrialRunner,
} from './tried.ts'
import styles from './what-if.module.css'

/** Of the weight to be carried, in pounds, as the call takes it. */
const WEIGHTS = { min: 80, max: 180, places: 0 }
/** With fewer runners there is no race. */
const LEAST_RUNNERS = 2

export interface BoardProps {
  race: RaceInfo
  /** By number, as `4 Iron Arrow`. */
  names: ReadonlyMap<number | null, string>
  /** The card as it was predicted. */
  card: Trial
  /** With what is tried; `null` if it could not be computed. */
  trial: Trial | null
  waiting: boolean
  tried: Tried
  onTry(tried: Tried): void
}

interface RunnerControlsProps extends BoardProps {
  runner: TrialRunner
  onChoose(number: number): void
}

/** The going, which runner, and what is changed of it. */
export function RunnerControls(props: RunnerControlsProps) {
  const { race, card, names, runner, tried, onTry, onChoose } = props
  const words = useRaceWords()
  return (
    <div className={styles.fields}>
      <SelectField
        label={<FormattedMessage id="race.going" />}
        value={tried.going ?? card.going}
        options={goingChoices(race.trackType, card.going).map((value) => ({
          value,
          label: words.going(value) ?? value,
        }))}
        onChange={(going) => onTry({ ...tried, going: going === card.going ? null : going })}
      />
      <SelectField
        label={<FormattedMessage id="trial.runner" />}
        value={String(runner.horseNumber)}
        options={card.runners.map(({ horseNumber }) => ({
          value: String(horseNumber),
          label: names.get(horseNumber) ?? String(horseNumber),
        }))}
        onChange={(value) => onChoose(Number(value))}
      />
      <PeopleAndStall {...props} />
      <Load {...props} />
      <Small className={styles.hint} text="trial.hint" />
    </div>
  )
}

function PeopleAndStall({ card, names, runner, tried, onTry }: RunnerControlsProps) {
  const intl = useIntl()
  const now = triedRunner(runner, tried)
  const stalls = card.runners.flatMap((each) => {
    const { draw } = triedRunner(each, tried)
    return draw === null ? [] : [{ draw, name: names.get(each.horseNumber) ?? '' }]
  })
  return (
    <>
      <SelectField
        label={<FormattedMessage id="race.jockey" />}
        value={now.jockeyId ?? ''}
        options={[
          ...(runner.jockeyId === null ? [{ value: '', label: '–' }] : []),
          ...card.jockeys
            .map(({ id, name }) => ({ value: id, label: name }))
            .toSorted((a, b) => a.label.localeCompare(b.label, intl.locale)),
        ]}
        onChange={(id) => onTry(withChange(tried, runner, 'jockeyId', id === '' ? null : id))}
      />
      {now.draw === null ? (
        <Small text="trial.noDraw" />
      ) : (
        <SelectField
          label={<FormattedMessage id="race.draw" />}
          value={String(now.draw)}
          options={stalls
            .toSorted((a, b) => a.draw - b.draw)
            .map(({ draw, name }) => ({
              value: String(draw),
              label:
                draw === now.draw
                  ? String(draw)
                  : intl.formatMessage({ id: 'trial.stall' }, { draw, horse: name }),
            }))}
          onChange={(draw) => onTry(withDraw(tried, card.runners, runner, Number(draw)))}
        />
      )}
    </>
  )
}

function Load({ card, runner, tried, onTry }: RunnerControlsProps) {
  const gearText = useGearText()
  const id = useId()
  const now = triedRunner(runner, tried)
  const running = card.runners.filter((each) => !triedRunner(each, tried).withdrawn)
  return (
    <>
      <label htmlFor={id} className={fieldStyles.field}>
        <FormattedMessage id="race.actualWeight" />
        <NumberField
          key={runner.horseNumber}
          id={id}
          {...WEIGHTS}
          value={now.weightLb}
          className={fieldStyles.control}
          onChange={(weight) => onTry(withChange(tried, runner, 'weightLb', weight))}
        />
      </label>
      <SelectField
        label={<FormattedMessage id="race.card.gear" />}
        value={now.gear ?? ''}
        options={[...new Set([runner.gear ?? '', ...gearChoices(runner.gear)])].map((gear) => ({
          value: gear,
          label: gearText(gear),
        }))}
        onChange={(gear) =>
          onTry(withChange(tried, runner, 'gear', gear === (runner.gear ?? '') ? null : gear))
        }
      />
      <label className={styles.withdraw}>
        <input
          type="checkbox"
          checked={now.withdrawn}
          disabled={!now.withdrawn && running.length <= LEAST_RUNNERS}
          onChange={(event) => onTry(withChange(tried, runner, 'withdrawn', event.target.checked))}
        />
        <FormattedMessage id="race.withdrawn" />
      </label>
    </>
  )
}

/** Gear in words; without any, that there is none. */
function useGearText(): (gear: string) => string {
  const intl = useIntl()
  const words = useRaceWords()
  return (gear) => {
    const items = gearItems(gear)
    if (items.length === 0) return intl.formatMessage({ id: 'trial.noGear' })
    return intl.formatList(
      items.map(({ code, mark }) =>
        intl.formatMessage({ id: 'race.gearItem' }, { name: words.gear(code), mark: mark ?? 'usual' }),
      ),
      { type: 'unit' },
    )
  }
}

/** What is tried, each with a button that takes it back. */
export function TriedList({ card, names, tried, onTry }: BoardProps) {
  const intl = useIntl()
  const words = useRaceWords()
  const wordsOf = useChangeWords(card)
  const changes = tried.changes.flatMap((change) =>
    CHANGEABLE.flatMap((key) => (change[key] === undefined ? [] : [{ change, key }])),
  )
  if (changes.length === 0 && tried.going === null) return null
  const taken = (id: string, text: string, back: () => void) => (
    <li key={id}>
      <Button onClick={back} aria-label={intl.formatMessage({ id: 'trial.takeBack' }, { what: text })}>
        {text}
        <X aria-hidden="true" size={16} />
      </Button>
    </li>
  )
  return (
    <List className={styles.tried} aria-label={intl.formatMessage({ id: 'trial.tried' })}>
      {tried.going === null
        ? null
        : taken('going', words.going(tried.going) ?? tried.going, () => onTry({ ...tried, going: null }))}
      {changes.map(({ change, key }) =>
        taken(
          `${change.horseNumber} ${key}`,
          intl.formatMessage(
            { id: 'trial.change' },
            {
              horse: names.get(change.horseNumber) ?? String(change.horseNumber),
              what: wordsOf(key, change),
            },
          ),
          () => onTry(withoutChange(tried, card.runners, change.horseNumber, key)),
        ),
      )}
    </List>
  )
}

/** A change in words. */
function useChangeWords({ jockeys }: BoardProps['card']) {
  const intl = useIntl()
  const format = useFormat()
  const gearText = useGearText()
  return (key: Changeable, change: Parameters<typeof triedRunner>[1]['changes'][number]): string => {
    switch (key) {
      case 'jockeyId':
        return jockeys.find(({ id }) => id === change.jockeyId)?.name ?? ''
      case 'draw':
        return intl.formatMessage({ id: 'trial.inStall' }, { draw: change.draw })
      case 'weightLb':
        return intl.formatMessage({ id: 'trial.pounds' }, { pounds: format.integer(change.weightLb ?? 0) })
      case 'gear':
        return gearText(change.gear ?? '')
      case 'withdrawn':
        return intl.formatMessage({ id: 'race.withdrawn' })
    }
  }
}
