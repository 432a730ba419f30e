import { type ComponentProps, useId, useState } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { useToken } from '../../data/client/session.ts'
import { ExtraTexts } from '../../i18n/extra-texts.tsx'
import { HelpLink } from '../../ui/help-link.tsx'
import { Panel, Skeleton, ErrorNotice } from '../../ui/panel.tsx'
import { queryNotes, writeNote, type NoteSubject } from '../../../contract/api/note.ts'
import { usePages } from '../../data/use-pages.ts'
import { SelectField } from '../../ui/fields/select.tsx'
import { Button } from '../../ui/button.tsx'
import { Row, Stack, TextLink } from '../../ui/layout.tsx'
import texts from '../../ui/text.module.css'
import { NoteForm, NoteList } from './note-list.tsx'
import { call } from '../../data/client/call.ts'

/** Notes on one subject as a panel of its screen; not shown to visitors. */
export default function NotesPanel(props: ComponentProps<typeof SubjectNotes>) {
  if (useToken() === null) return null
  return (
    <ExtraTexts part="notes" waiting={<Skeleton height={120} />}>
      <Panel
        title={<FormattedMessage id="notes.title" />}
        actions={<HelpLink topic="notes" text="notes.help" />}
      >
        <SubjectNotes {...props} />
      </Panel>
    </ExtraTexts>
  )
}

interface SubjectNotesProps {
  regionId: string
  subject: NoteSubject
  subjectId: string
  /** Horses of a race, which notes can also be written on. */
  horses?: readonly { id: string; label: string }[]
  /** The horse on which a note is to be written, if one was asked for. */
  about?: string | null
}

/** A customer's own notes on one horse, race or saved view, with a form to write one. */
export function SubjectNotes({ regionId, subject, subjectId, horses, about = null }: SubjectNotesProps) {
  const intl = useIntl()
  const token = useToken()
  const [horseId, setHorseId] = useState(about ?? '')
  const [writing, setWriting] = useState(about !== null)
  const form = useId()
  const under = { [`${subject}Id`]: subjectId }
  const notes = usePages(queryNotes, { countryRegionId: regionId, ...under }, intl.locale, token)
  return (
    <Stack tight>
      {notes.error ? (
        <ErrorNotice error={notes.error} onRetry={notes.retry} />
      ) : notes.isPending ? (
        <Skeleton height={48} />
      ) : notes.isEmpty ? (
        <p className={texts.soft}>
          <FormattedMessage id="notes.none" />
        </p>
      ) : (
        <NoteList notes={notes.rows} under={under} />
      )}
      {notes.moreError ? <ErrorNotice error={notes.moreError} /> : null}
      <Row>
        {notes.hasMore ? (
          <Button busy={notes.loading} onClick={() => void notes.loadMore()} text="common.loadMore" />
        ) : null}
        <Button
          aria-expanded={writing}
          aria-controls={form}
          onClick={() => setWriting(!writing)}
          text="notes.write"
        />
        <TextLink to="/pages/user/notes" text="notes.all" />
      </Row>
      <div id={form}>
        {writing ? (
          <NoteForm
            before={
              horses === undefined ? null : (
                <SelectField
                  label={<FormattedMessage id="notes.about" />}
                  value={horseId}
                  options={[
                    { value: '', label: intl.formatMessage({ id: 'notes.thisRace' }) },
                    ...horses.map(({ id, label }) => ({ value: id, label })),
                  ]}
                  onChange={setHorseId}
                />
              )
            }
            onSave={async (content) => {
              await call(writeNote, {
                countryRegionId: regionId,
                subject: horseId === '' ? subject : 'horse',
                subjectId: horseId === '' ? subjectId : horseId,
                content,
              })
              setWriting(false)
            }}
          />
        ) : null}
      </div>
    </Stack>
  )
}
