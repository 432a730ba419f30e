import { useQuery } from '@tanstack/react-query'
import { NotebookPen } from 'lucide-react'
import { useIntl } from 'react-intl'
import { queryNotes } from '../../../contract/api/note.ts'
import { queryFor } from '../../data/client/call.ts'
import { useToken } from '../../data/client/session.ts'
import { useRegion } from '../../data/use-region.ts'
import { useFormat } from '../../i18n/format.ts'
import { ExtraTexts } from '../../i18n/extra-texts.tsx'
import { List, Row, Small } from '../../ui/layout.tsx'
import { Empty, ErrorNotice, Skeleton } from '../../ui/panel.tsx'
import { Subject } from './note-list.tsx'
import styles from './notes.module.css'

const COUNT = 3
/** Of three notes of a line or two, in pixels. */
const HEIGHT = 180

/** The user's newest notes in the region, shortened. */
export default function LatestNotes() {
  return (
    <ExtraTexts part="notes" waiting={<Skeleton height={HEIGHT} />}>
      <Notes />
    </ExtraTexts>
  )
}

function Notes() {
  const { locale } = useIntl()
  const format = useFormat()
  const token = useToken()
  const { region } = useRegion()
  const notes = useQuery({
    ...queryFor(
      queryNotes,
      region && { countryRegionId: region.id, pageNo: 1, pageSize: COUNT },
      locale,
      token,
    ),
    retry: 1,
  })
  if (notes.error) return <ErrorNotice error={notes.error} onRetry={() => void notes.refetch()} />
  if (!notes.data) return <Skeleton height={HEIGHT} />
  if (notes.data.records.length === 0) return <Empty icon={NotebookPen} text="notes.empty" />
  return (
    <List>
      {notes.data.records.map((note) => (
        <li key={note.id} className={styles.note}>
          <Row spread>
            <Subject note={note} />
            <Small as="time" dateTime={note.createdAt}>
              {format.instantDay(note.createdAt)}
            </Small>
          </Row>
          <p className={`${styles.content} ${styles.shortened}`}>{note.content}</p>
        </li>
      ))}
    </List>
  )
}
