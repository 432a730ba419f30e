import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState, type ReactNode } from 'react'
import { useIntl } from 'react-intl'
import { keyOf } from '../../data/client/keys.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorNotice } from '../../ui/panel.tsx'
import { TextArea } from '../../ui/fields/text-field.tsx'
import { Row, Stack } from '../../ui/layout.tsx'
import { queryNotes } from '../../../contract/api/note.ts'

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
        <Button type="submit" primary disabled={saving.isPending || text.trim() === ''} text="notes.save" />
        {onCancel ? <Button onClick={onCancel} text="common.cancel" /> : null}
      </Row>
    </Stack>
  )
}
