import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, useRef, type ReactNode } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { Link } from 'react-router-dom'
import { keyOf, call } from '../../data/client/call.ts'
import { changeNote, deleteNote, queryNotes, type Note } from '../../../contract/api/note.ts'
import { useFormat } from '../../i18n/format.ts'
import { Name } from '../../i18n/name.tsx'
import { Button } from '../../ui/button.tsx'
import { ErrorNotice } from '../../ui/panel.tsx'
import { List, Row, Small, Stack } from '../../ui/layout.tsx'
import styles from './notes.module.css'
import { TextArea } from '../../ui/fields/text-field.tsx'
import { BETWEEN_FACTS } from '../../i18n/between-facts.ts'

const NOTHING: NonNullable<NoteListProps['under']> = {}

type NotedRace = NonNullable<Note['race']>

interface NoteListProps {
  notes: readonly Note[]
  /** The subject that is already shown above the list, and is not repeated. */
  under?: { horseId?: string; raceId?: string; viewId?: string }
}

/** Notes with their subjects, each with buttons to edit and delete it. */
export function NoteList({ notes, under = NOTHING }: NoteListProps) {
  return (
    <List>
      {notes.map((note) => (
        <Line key={note.id} note={note} under={under} />
      ))}
    </List>
  )
}

function Line({ note, under }: { note: Note; under: NonNullable<NoteListProps['under']> }) {
  const raceText = useRaceText()
  const format = useFormat()
  const client = useQueryClient()
  const [changing, setChanging] = useState(false)
  const [asking, setAsking] = useState(false)
  const deleting = useMutation({
    mutationFn: () => call(deleteNote, { id: note.id }),
    onSuccess: () => client.invalidateQueries({ queryKey: keyOf(queryNotes) }),
  })
  const next = note.horse?.next ?? null
  return (
    <li className={styles.note} data-testid="note">
      <Row spread>
        <Subject note={note} under={under} />
        <Small as="time" dateTime={note.createdAt}>
          {format.instantDay(note.createdAt)}
        </Small>
      </Row>
      {changing ? (
        <NoteForm
          content={note.content}
          onSave={(content) => call(changeNote, { id: note.id, content })}
          onCancel={() => setChanging(false)}
        />
      ) : (
        <p className={styles.content}>{note.content}</p>
      )}
      {next === null || next.raceId === under.raceId ? null : (
        <Small>
          <FormattedMessage
            id="notes.runsNext"
            values={{ race: <Link to={raceAddress(next)}>{raceText(next)}</Link> }}
          />
        </Small>
      )}
      {deleting.error ? <ErrorNotice error={deleting.error} /> : null}
      {changing ? null : (
        <Row>
          {asking ? (
            <>
              <FormattedMessage id="notes.askDelete" />
              <Button busy={deleting.isPending} onClick={() => deleting.mutate()} text="notes.delete" />
              <Button onClick={() => setAsking(false)} text="common.cancel" />
            </>
          ) : (
            <>
              <button type="button" className={styles.quiet} onClick={() => setChanging(true)}>
                <FormattedMessage id="notes.change" />
              </button>
              <button type="button" className={styles.quiet} onClick={() => setAsking(true)}>
                <FormattedMessage id="notes.delete" />
              </button>
            </>
          )}
        </Row>
      )}
    </li>
  )
}

const raceAddress = ({ raceId }: NotedRace): string => `/pages/race/HorseRace?id=${raceId}&tab=notes`

function useRaceText(): (race: NotedRace) => string {
  const intl = useIntl()
  const format = useFormat()
  return ({ date, stadiumName, raceNo }) =>
    [stadiumName, format.day(date), intl.formatMessage({ id: 'record.raceNumber' }, { number: raceNo })].join(
      BETWEEN_FACTS,
    )
}

interface SubjectProps {
  note: Note
  under?: NonNullable<NoteListProps['under']>
}

/** What a note is on, unless that is shown above the list. */
export function Subject({ note, under = NOTHING }: SubjectProps) {
  const raceText = useRaceText()
  const { horse, race, view } = note
  if (horse !== null && horse.id !== under.horseId)
    return (
      <strong>
        <Link to={`/pages/race/HorseDetail?id=${encodeURIComponent(horse.id)}`}>
          <Name language={horse.nameLanguage}>{horse.name}</Name>
        </Link>{' '}
        {horse.number === horse.name ? null : <Small as="span">{horse.number}</Small>}
      </strong>
    )
  if (race !== null && race.raceId === under.raceId)
    return <FormattedMessage id="notes.thisRace" tagName="strong" />
  if (race !== null)
    return (
      <strong>
        <Link to={raceAddress(race)}>{raceText(race)}</Link>
      </strong>
    )
  if (view === null || view.id === under.viewId) return <span />
  return (
    <strong>
      <Link to={`/pages/race/WinLossRecord?${view.address}`}>{view.name}</Link>{' '}
      <Small as="span" text="notes.savedView" />
    </strong>
  )
}

const MAX_LENGTH = 2000

interface NoteFormProps {
  /** Initial content. */
  content?: string
  /** Shown before the text: the selection of the note's subject. */
  before?: ReactNode
  onSave(content: string): Promise<unknown>
  /** Discards the changes to a note; absent for a new note. */
  onCancel?(): void
}

/** The text of a note. The typed text stays until it is saved. */
export function NoteForm({ content = '', before, onSave, onCancel }: NoteFormProps) {
  const intl = useIntl()
  const client = useQueryClient()
  const [text, setText] = useState(content)
  // A second click may occur before the first one has been rendered as pending.
  const busy = useRef(false)
  const saving = useMutation({
    mutationFn: onSave,
    onSettled: () => {
      busy.current = false
    },
    onSuccess: async () => {
      if (!onCancel) setText('')
      await client.invalidateQueries({ queryKey: keyOf(queryNotes) })
      onCancel?.()
    },
  })
  return (
    <Stack
      as="form"
      tight
      onSubmit={(event) => {
        event.preventDefault()
        if (busy.current || text.trim() === '') return
        busy.current = true
        saving.mutate(text.trim())
      }}
    >
      {before}
      <TextArea
        label={intl.formatMessage({ id: 'notes.text' })}
        value={text}
        maxLength={MAX_LENGTH}
        onChange={setText}
      />
      {saving.error ? <ErrorNotice error={saving.error} /> : null}
      <Row>
        <Button
          type="submit"
          primary
          busy={saving.isPending}
          disabled={text.trim() === ''}
          text="notes.save"
        />
        {onCancel ? <Button onClick={onCancel} text="common.cancel" /> : null}
      </Row>
    </Stack>
  )
}
