import { FileUp, Trash2 } from 'lucide-react'
import { useRef, useState, type DragEvent } from 'react'
import { FormattedMessage } from 'react-intl'
import { OWN_SLOTS } from '../../../analytics/own-slots.ts'
import {
  MAX_OWN_BYTES,
  OWN_TABLE,
  UNMATCHED_REASONS,
  type OwnFile,
  type OwnMatch,
  type OwnProgress,
} from '../../../analytics/own-api.ts'
import type { ModelId } from '../../../contract/model-ids.ts'
import { BYTE_ORDER_MARK, csvLine } from '../../../domain/csv.ts'
import { FurlongError } from '../../../domain/errors.ts'
import { hasKeys, OWN_ROLES, type OwnRole, type OwnRoles } from '../../../domain/reading/own-columns.ts'
import type { OwnConnection } from '../../data/analytics/own.ts'
import { storedWins } from '../../features/chances/stored-chances.ts'
import { ExtraTexts } from '../../i18n/extra-texts.tsx'
import { useFormat } from '../../i18n/format.ts'
import { useWord } from '../../i18n/use-word.ts'
import { saveFile } from '../../ui/behaviour/save-file.ts'
import { useWide } from '../../ui/behaviour/use-wide.ts'
import { Button } from '../../ui/button.tsx'
import { HelpLink } from '../../ui/help-link.tsx'
import { ColumnHeadings, Row, Small, Stack, Table } from '../../ui/layout.tsx'
import { ErrorNotice, Panel, Skeleton } from '../../ui/panel.tsx'
import { showToast } from '../../ui/toast.tsx'
import { ToolSelect } from '../parts/controls.tsx'
import { Scrolled } from '../parts/scrolled.tsx'
import type { SliceAnswer } from '../query/use-slice.ts'
import { OwnBreakdown } from './own-breakdown.tsx'
import { OwnCompare } from './own-compare.tsx'
import { OwnProblem } from './own-answers.tsx'
import { OwnReading } from './own-reading.tsx'
import { useOwn, type Own } from './use-own.ts'
import styles from './own.module.css'
import { BETWEEN_FACTS } from '../../i18n/between-facts.ts'

interface OwnTabProps {
  slice: SliceAnswer
  model: ModelId
}

/** The user's own ratings compared with ours: matched to the region's starters, on this device only. */
export default function OwnTab(props: OwnTabProps) {
  return (
    <ExtraTexts part="own" waiting={<Skeleton height={480} />}>
      <OwnView {...props} />
    </ExtraTexts>
  )
}

const NO_KEYS = new FurlongError('own-file', { problem: 'no-keys' })
const NO_MATCH = new FurlongError('own-file', { problem: 'no-match' })

function OwnView({ slice, model }: OwnTabProps) {
  const own = useOwn(model)
  const { state, connection } = own
  return (
    <Stack data-testid="own" data-state={state.kind}>
      {state.kind === 'read' ? <Chosen own={own} /> : <Choose own={own} />}
      {state.kind === 'read' ? (
        <>
          {state.refused === null ? null : <OwnProblem error={state.refused} />}
          <OwnReading
            file={state.file}
            days={state.match.kind === 'done' ? state.match.match.days : null}
            choices={state.choices}
            onChoices={own.setChoices}
          />
          <OwnColumns file={state.file} roles={state.roles} onRoles={own.setRoles} />
          {!hasKeys(state.roles) ? (
            <OwnProblem error={NO_KEYS} />
          ) : state.match.kind === 'waiting' ? (
            <Skeleton height={160} />
          ) : state.match.kind === 'failed' ? (
            <OwnProblem error={state.match.error} />
          ) : connection === null ? null : state.match.match.matched === 0 ? (
            <>
              <OwnProblem error={NO_MATCH} />
              <OwnMatched match={state.match.match} name={state.name} connection={connection} />
            </>
          ) : (
            <>
              <OwnMatched match={state.match.match} name={state.name} connection={connection} />
              {state.roles.probability === undefined ? null : (
                <OwnCompare number={state.match.number} connection={connection} slice={slice} model={model} />
              )}
              <OwnBreakdown
                number={state.match.number}
                connection={connection}
                slice={slice}
                file={state.file}
                roles={state.roles}
              />
            </>
          )}
        </>
      ) : null}
    </Stack>
  )
}

/** Chooses a file, or shows how much of it has been read. */
function Choose({ own }: { own: Own }) {
  const { state } = own
  return (
    <Panel title={<FormattedMessage id="own.title" />} actions={<HelpLink topic="own" text="own.help" />}>
      <Small text="own.lead" />
      {state.kind === 'none' && state.error !== null ? <OwnProblem error={state.error} /> : null}
      {state.kind === 'reading' ? (
        <Reading name={state.name} progress={state.progress} onCancel={own.cancel} />
      ) : (
        <DropArea own={own} />
      )}
      <Small as="ul" className={styles.facts}>
        {[
          'own.fact.device',
          'own.fact.keys',
          'own.fact.probability',
          'own.fact.filters',
          'own.fact.console',
        ].map((each) => (
          <li key={each}>
            <FormattedMessage id={each} values={{ table: OWN_TABLE, count: OWN_SLOTS.length }} />
          </li>
        ))}
      </Small>
    </Panel>
  )
}

interface ReadingProps {
  name: string
  progress: OwnProgress | null
  onCancel(): void
}

function Reading({ name, progress, onCancel }: ReadingProps) {
  const word = useWord()
  const format = useFormat()
  return (
    <div className={styles.reading} role="status">
      <FormattedMessage id="own.reading" values={{ name }} tagName="p" />
      <progress
        aria-label={word('own.reading', { name })}
        {...(progress === null ? {} : { value: progress.doneBytes, max: progress.totalBytes })}
      />
      {progress === null ? null : (
        <Small>
          <FormattedMessage
            id="own.progress"
            values={{ done: format.bytes(progress.doneBytes), total: format.bytes(progress.totalBytes) }}
          />
        </Small>
      )}
      <Button onClick={onCancel} text="common.cancel" />
    </div>
  )
}

const ACCEPTED = '.csv,.txt,.tsv,.tab,.parquet,.xlsx,.json,.jsonl,.ndjson,.gz,.zip,text/csv'

/** Takes a file that is dropped or chosen, or the probabilities that are stored on race pages. */
function DropArea({ own }: { own: Own }) {
  const format = useFormat()
  const input = useRef<HTMLInputElement>(null)
  const [over, setOver] = useState(false)
  const [stored] = useState(storedWins)
  const take = (files: FileList | null): void => {
    const [file] = files ?? []
    if (file) own.choose(file)
  }
  const drop = (event: DragEvent): void => {
    event.preventDefault()
    setOver(false)
    take(event.dataTransfer.files)
  }
  return (
    <div
      className={styles.drop}
      data-over={over}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <FileUp aria-hidden="true" size={28} />
      <FormattedMessage id="own.drop" values={{ limit: format.bytes(MAX_OWN_BYTES) }} tagName="p" />
      <Button
        primary
        disabled={own.connection === null}
        onClick={() => input.current?.click()}
        text="own.choose"
      />
      {stored.length === 0 ? null : (
        <Button disabled={own.connection === null} onClick={() => own.choose(storedFile(stored))}>
          <FormattedMessage
            id="own.useStored"
            values={{ races: new Set(stored.map(({ raceId }) => raceId)).size }}
          />
        </Button>
      )}
      <input
        ref={input}
        type="file"
        hidden
        accept={ACCEPTED}
        onChange={(event) => {
          take(event.target.files)
          // Allows the same file to be selected again.
          event.target.value = ''
        }}
      />
    </div>
  )
}

/** Probabilities stored on race pages as a file, with whether each was stored before post time. */
const storedFile = (stored: ReturnType<typeof storedWins>): File =>
  new File(
    [
      csvLine(['race_id', 'horse_no', 'probability', 'kept_before_off']),
      ...stored.map(({ raceId, number, chance, before }) =>
        csvLine([raceId, number, chance, before ? 'yes' : 'no']),
      ),
    ],
    'kept-chances.csv',
  )

function Chosen({ own }: { own: Own }) {
  const word = useWord()
  const format = useFormat()
  const { state } = own
  if (state.kind !== 'read') return null
  const store = async (): Promise<void> => {
    const stored = await own.store()
    showToast(word(stored ? 'own.stored' : 'own.notStored'), stored ? 'good' : 'bad')
  }
  return (
    <Panel
      title={state.name}
      actions={
        <Row>
          <HelpLink topic="own" text="own.help" />
          {state.isStored ? null : <Button onClick={() => void store()} text="own.store" />}
          <Button onClick={() => void own.remove()}>
            <Trash2 aria-hidden="true" size={16} />
            <FormattedMessage id="own.remove" />
          </Button>
        </Row>
      }
    >
      <Small data-testid="own-file">
        <FormattedMessage
          id="own.size"
          values={{ rows: format.integer(state.file.rows), columns: state.file.columns.length }}
        />{' '}
        <FormattedMessage id={state.isStored ? 'own.storedHere' : 'own.untilClosed'} />
      </Small>
    </Panel>
  )
}

interface OwnColumnsProps {
  file: OwnFile
  roles: OwnRoles
  onRoles(roles: OwnRoles): void
}

/** The detected columns of a file, and the role of each. */
function OwnColumns({ file, roles, onRoles }: OwnColumnsProps) {
  const word = useWord()
  const format = useFormat()
  const wide = useWide()
  const roleOf = (at: number): OwnRole | '' => OWN_ROLES.find((role) => roles[role] === at) ?? ''
  const give = (at: number, role: string): void => {
    const left = Object.entries(roles).filter(([name, place]) => place !== at && name !== role)
    onRoles({ ...(Object.fromEntries(left) as OwnRoles), ...(role === '' ? {} : { [role]: at }) })
  }
  const roleSelect = (column: string, at: number) => (
    <ToolSelect
      label="own.roleOf"
      values={{ column }}
      value={roleOf(at)}
      options={OWN_ROLES.map((value) => ({ value, label: word(`own.role.${value}`) }))}
      onChange={(role) => give(at, role)}
    >
      <option value="">{word('own.role.none')}</option>
    </ToolSelect>
  )
  return (
    <Panel title={<FormattedMessage id="own.columns" />}>
      <Small text="own.columnsLead" />
      <Scrolled label={word('own.columns')}>
        <Table className={styles.lefts} data-testid="own-columns">
          <ColumnHeadings
            ids={['own.column', 'own.kind', ...(wide ? ['own.example', 'own.filled'] : []), 'own.role']}
          />
          <tbody>
            {file.columns.map((column, at) => (
              <tr key={column.column}>
                <th scope="row">{column.name}</th>
                <td>
                  <FormattedMessage id={`own.kind.${column.kind}`} />
                  {column.odd === 0 ? null : (
                    <Small as="div">
                      <FormattedMessage
                        id="own.odd"
                        values={{
                          count: column.odd,
                          line: format.integer(column.oddLine ?? 0),
                          value: column.oddValue,
                        }}
                      />
                    </Small>
                  )}
                </td>
                {wide ? <td>{column.example}</td> : null}
                {wide ? <td>{format.percent(column.filled / file.rows, 0)}</td> : null}
                <td>{roleSelect(column.name, at)}</td>
              </tr>
            ))}
          </tbody>
        </Table>
      </Scrolled>
    </Panel>
  )
}

interface OwnMatchedProps {
  match: OwnMatch
  name: string
  connection: OwnConnection
}

/** The number of rows with a starter, and the rows without one. */
function OwnMatched({ match, name, connection }: OwnMatchedProps) {
  const word = useWord()
  const format = useFormat()
  const [error, setError] = useState<unknown>(null)
  const left = match.rows - match.matched
  const save = async (): Promise<void> => {
    try {
      const text = BYTE_ORDER_MARK + (await connection.unmatched())
      saveFile(
        `${name.replace(/\.[^.]*$/, '')}-unmatched.csv`,
        new Blob([text], { type: 'text/csv;charset=utf-8' }),
      )
      setError(null)
    } catch (thrown) {
      setError(thrown)
    }
  }
  return (
    <Panel
      title={<FormattedMessage id="own.matched" />}
      actions={left === 0 ? undefined : <Button onClick={() => void save()} text="own.saveUnmatched" />}
    >
      <p data-testid="own-matched">
        <FormattedMessage
          id="own.matchedSummary"
          values={{
            matched: format.integer(match.matched),
            rows: format.integer(match.rows),
            races: match.races,
          }}
        />
      </p>
      {error === null ? null : <ErrorNotice error={error} />}
      {left === 0 ? null : (
        // Where nothing matched, the reasons are what the reader needs.
        <details open={match.matched === 0}>
          <summary data-testid="own-unmatched">
            <FormattedMessage id="own.unmatched" values={{ count: left }} />{' '}
            {UNMATCHED_REASONS.filter((reason) => match.unmatched[reason] > 0)
              .map((reason) => `${word(`own.reason.${reason}`)}: ${format.integer(match.unmatched[reason])}`)
              .join(BETWEEN_FACTS)}
          </summary>
          <Scrolled label={word('own.matched')}>
            <Table className={styles.lefts}>
              <ColumnHeadings ids={['own.lineHead', 'own.reasonHead', 'own.rowHead']} />
              <tbody>
                {match.listed.map((row) => (
                  <tr key={row.line}>
                    <td>{format.integer(row.line)}</td>
                    <FormattedMessage id={`own.reason.${row.reason}`} tagName="td" />
                    <td>{row.text}</td>
                  </tr>
                ))}
              </tbody>
            </Table>
          </Scrolled>
        </details>
      )}
    </Panel>
  )
}
