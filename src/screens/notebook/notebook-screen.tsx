import { NotebookPen } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import { useIntl } from 'react-intl'
import { queryNotes } from '../../../contract/api/note.ts'
import { useToken } from '../../data/client/session.ts'
import { usePages } from '../../data/use-pages.ts'
import { useRegion } from '../../data/use-region.ts'
import { NoteList } from '../../features/notes/note-list.tsx'
import { Empty, ErrorNotice, Skeleton } from '../../ui/panel.tsx'
import { HelpLink } from '../../ui/help-link.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { LinkButton, PageTitle, Stack } from '../../ui/layout.tsx'

const MAX_TEXT = 60

/** All notes of a customer in a region, with a search. */
export function NotebookScreen() {
  const intl = useIntl()
  const token = useToken()
  const { region } = useRegion()
  const [typed, setTyped] = useState('')
  const text = useDeferredValue(typed.trim())
  const notes = usePages(
    queryNotes,
    region && { countryRegionId: region.id, ...(text === '' ? {} : { text }) },
    intl.locale,
    token,
  )
  return (
    <Stack narrow>
      <PageTitle title="title.notes" lead="notes.about.page">
        <HelpLink topic="notes" text="notes.help" />
      </PageTitle>
      {typed !== '' || text !== '' || notes.error || notes.rows.length > 0 ? (
        <TextField
          type="search"
          label={intl.formatMessage({ id: 'notes.search' })}
          value={typed}
          maxLength={MAX_TEXT}
          onChange={setTyped}
        />
      ) : null}
      {notes.error ? <ErrorNotice error={notes.error} onRetry={notes.retry} /> : null}
      {notes.isPending ? <Skeleton height={260} /> : null}
      {notes.isEmpty ? (
        <Empty
          icon={NotebookPen}
          action={text === '' ? <LinkButton to="/pages/race/racehome" text="pay.toTips" /> : null}
          text={text === '' ? 'notes.empty' : 'notes.notFound'}
        />
      ) : null}
      <NoteList notes={notes.rows} />
      {notes.rows.length > 0 ? <LoadMore {...notes} /> : null}
    </Stack>
  )
}
