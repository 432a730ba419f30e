import { FormattedMessage } from 'react-intl'
import {
  OWN_ENCODINGS,
  type OwnChoices,
  type OwnDays,
  type OwnFile,
  type OwnNote,
} from '../../../analytics/own-api.ts'
import { useFormat, type Format } from '../../i18n/format.ts'
import { useWord } from '../../i18n/use-word.ts'
import { Small, Stack } from '../../ui/layout.tsx'
import { Panel } from '../../ui/panel.tsx'
import { ToolSelect } from '../parts/controls.tsx'
import styles from './own.module.css'

interface OwnReadingProps {
  file: OwnFile
  /** How the days were read; `null` without any, or while rows are matched. */
  days: OwnDays | null
  choices: OwnChoices
  onChoices(choices: OwnChoices): void
}

/** What was assumed when the file was read, each with its choice, and what was left out. */
export function OwnReading({ file, days, choices, onChoices }: OwnReadingProps) {
  const format = useFormat()
  const { encoding, sign, notes } = file
  const isSignOpen = sign.example !== null && sign.by !== 'proved'
  if (encoding === null && sign.example === null && days === null && notes.length === 0) return null
  return (
    <Panel title={<FormattedMessage id="own.read" />}>
      <Stack data-testid="own-reading">
        {encoding === null ? null : (
          <EncodingChoice encoding={encoding} choices={choices} onChoices={onChoices} />
        )}
        {sign.example === null ? null : (
          <SignChoice sign={sign} open={isSignOpen} choices={choices} onChoices={onChoices} />
        )}
        {days === null ? null : <DaysChoice days={days} choices={choices} onChoices={onChoices} />}
        {notes.length === 0 ? null : (
          <Small as="ul" className={styles.facts}>
            {notes.map((note) => (
              <li key={`${note.note} ${Object.values(note.values).join(' ')}`} data-note={note.note}>
                <FormattedMessage id={`own.note.${note.note}`} values={shownValues(note, format)} />
              </li>
            ))}
          </Small>
        )}
      </Stack>
    </Panel>
  )
}

/** Numbers of lines as they are written; counts stay numbers, for their plurals. */
const shownValues = ({ values }: OwnNote, format: Format): Record<string, string | number> => ({
  ...values,
  ...(typeof values['line'] === 'number' ? { line: format.integer(values['line']) } : {}),
})

type ChoiceProps = Pick<OwnReadingProps, 'choices' | 'onChoices'>

function EncodingChoice({
  encoding,
  choices,
  onChoices,
}: ChoiceProps & { encoding: NonNullable<OwnFile['encoding']> }) {
  const word = useWord()
  return (
    <div className={styles.choice} data-choice="encoding" data-value={encoding}>
      <FormattedMessage id="own.encoding" />
      <ToolSelect
        label="own.encoding"
        value={encoding}
        options={OWN_ENCODINGS.map((value) => ({ value, label: word(`own.encoding.${value}`) }))}
        onChange={(value) => onChoices({ ...choices, encoding: value })}
      />
    </div>
  )
}

function SignChoice({
  sign,
  open,
  choices,
  onChoices,
}: ChoiceProps & { sign: OwnFile['sign']; open: boolean }) {
  const word = useWord()
  const { decimal, by, example } = sign
  return (
    <div className={styles.choice} data-choice="decimal" data-value={decimal} data-by={by}>
      <FormattedMessage id={`own.sign.${by}`} values={{ example }} />
      <ToolSelect
        label="own.sign"
        value={decimal}
        options={(['.', ','] as const).map((value) => ({
          value,
          label: word(value === '.' ? 'own.sign.point' : 'own.sign.comma'),
        }))}
        onChange={(value) => onChoices({ ...choices, decimal: value })}
      />
      {open ? <Small text="own.sign.open" /> : null}
    </div>
  )
}

function DaysChoice({ days, choices, onChoices }: ChoiceProps & { days: OwnDays }) {
  const word = useWord()
  const format = useFormat()
  const { order, by, orders, example, day } = days
  return (
    <div className={styles.choice} data-choice="days" data-value={order} data-by={by}>
      <FormattedMessage id="own.days" values={{ example, day: day === '' ? '–' : format.day(day) }} />
      {orders.length < 2 ? null : (
        <ToolSelect
          label="own.dayOrder"
          value={order}
          options={orders.map((value) => ({ value, label: word(`own.dayOrder.${value}`) }))}
          onChange={(value) => onChoices({ ...choices, dayOrder: value })}
        />
      )}
      <Small text={`own.days.${by}`} />
    </div>
  )
}
