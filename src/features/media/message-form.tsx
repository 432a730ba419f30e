import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { writeMessage } from '../../../contract/api/message.ts'
import { MAX_MESSAGE } from '../../../contract/message-length.ts'
import { call } from '../../data/client/call.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorNotice, Notice } from '../../ui/panel.tsx'
import { Stack } from '../../ui/layout.tsx'
import { TextArea, TextField } from '../../ui/fields/text-field.tsx'
import { ImageUpload } from './image-upload.tsx'

const NOTHING = { content: '', answerTo: '', pictures: [] as string[] }

/** A message to the operator, with pictures. The typed text stays until it is sent. */
export function MessageForm() {
  const intl = useIntl()
  const [message, setMessage] = useState(NOTHING)
  const change = (part: Partial<typeof NOTHING>): void => setMessage((before) => ({ ...before, ...part }))
  const { content, answerTo, pictures } = message
  /** A message that is sent before its pictures are there would go without them. */
  const [uploading, setUploading] = useState(false)
  const sending = useMutation({
    mutationFn: () =>
      call(writeMessage, {
        content: content.trim(),
        pictures,
        ...(answerTo.trim() === '' ? {} : { answerTo: answerTo.trim() }),
      }),
    // A second message would be sent if the first were sent again, which only the reader can decide.
    retry: false,
    onSuccess: () => setMessage(NOTHING),
    onError: () => undefined,
  })
  const busy = sending.isPending || uploading
  return (
    <Stack
      as="form"
      onSubmit={(event) => {
        event.preventDefault()
        if (!busy && content.trim() !== '') sending.mutate()
      }}
    >
      <TextArea
        label={intl.formatMessage({ id: 'contact.text' })}
        value={content}
        maxLength={MAX_MESSAGE}
        rows={6}
        onChange={(text) => change({ content: text })}
      />
      <TextField
        label={<FormattedMessage id="contact.answerTo" />}
        hint={<FormattedMessage id="contact.answerToHint" />}
        value={answerTo}
        maxLength={100}
        onChange={(text) => change({ answerTo: text })}
      />
      <ImageUpload
        pictures={pictures}
        onChange={(of) => setMessage((before) => ({ ...before, pictures: of(before.pictures) }))}
        onBusy={setUploading}
      />
      {sending.error ? <ErrorNotice error={sending.error} /> : null}
      <div role="status">
        {sending.isSuccess && content === '' ? (
          <Notice kind="plain">
            <FormattedMessage id="contact.sent" tagName="p" />
          </Notice>
        ) : null}
      </div>
      <div>
        <Button
          type="submit"
          primary
          busy={busy}
          disabled={content.trim() === ''}
          text={sending.isPending ? 'form.sending' : 'contact.send'}
        />
      </div>
    </Stack>
  )
}
