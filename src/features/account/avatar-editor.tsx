import { useMutation } from '@tanstack/react-query'
import { Pencil } from 'lucide-react'
import { lazy, Suspense, useRef, useState } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { uploadAvatar } from '../../../contract/api/account.ts'
import { useRefreshAccount } from '../../data/use-session.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Skeleton } from '../../ui/panel.tsx'
import { showToast } from '../../ui/toast.tsx'
import { useErrorText } from '../../ui/use-error-text.ts'
import { Row } from '../../ui/layout.tsx'
import type { Area } from 'react-easy-crop'
import { call } from '../../data/client/call.ts'
import styles from './avatar-editor.module.css'

const Cropper = lazy(() => import('./avatar-cropper.tsx'))
/** The server refuses larger files. */
const MAX_BYTES = 5 * 1024 * 1024

/** The customer's picture: select, crop, preview and upload. */
export function AvatarEditor({ url }: { url: string | null }) {
  const intl = useIntl()
  const refresh = useRefreshAccount()
  const errorText = useErrorText()
  const input = useRef<HTMLInputElement>(null)
  /** The selected picture while it is being cropped. */
  const [source, setSource] = useState<string | null>(null)
  const [chosen, setChosen] = useState<{ url: string; blob: Blob } | null>(null)
  const clear = (): void => {
    if (chosen) URL.revokeObjectURL(chosen.url)
    setChosen(null)
  }
  const sending = useMutation({
    mutationFn: (file: Blob) => call(uploadAvatar, { file }),
    onSuccess: async () => {
      clear()
      await refresh()
      showToast(intl.formatMessage({ id: 'avatar.saved' }), 'good')
    },
    onError: (failed) => showToast(errorText(failed), 'bad'),
  })
  const closeCropper = (): void => {
    if (source !== null) URL.revokeObjectURL(source)
    setSource(null)
    if (input.current) input.current.value = ''
  }
  const crop = async (picture: string, area: Area): Promise<void> => {
    try {
      const { cropPicture } = await import('./avatar-cropper.tsx')
      const blob = await cropPicture(picture, area)
      clear()
      setChosen({ blob, url: URL.createObjectURL(blob) })
    } catch {
      showToast(intl.formatMessage({ id: 'error.not-an-image' }), 'bad')
    }
    closeCropper()
  }
  return (
    <Row>
      <input
        ref={input}
        type="file"
        accept="image/jpeg,image/png,image/webp,image/gif"
        hidden
        onChange={({ target }) => {
          const [file] = target.files ?? []
          if (!file) return
          if (file.size > MAX_BYTES) {
            target.value = ''
            return showToast(intl.formatMessage({ id: 'error.too-large' }, { limit: '5 MB' }), 'bad')
          }
          setSource(URL.createObjectURL(file))
        }}
      />
      <button
        type="button"
        className={styles.picture}
        aria-label={intl.formatMessage({ id: 'avatar.choose' })}
        onClick={() => input.current?.click()}
      >
        <Avatar url={chosen?.url ?? url} size={72} />
        <span className={styles.pencil} aria-hidden="true">
          <Pencil size={14} />
        </span>
      </button>
      {chosen ? (
        <Button
          primary
          busy={sending.isPending}
          onClick={() => sending.mutate(chosen.blob)}
          text={sending.isPending ? 'form.sending' : 'avatar.upload'}
        />
      ) : null}
      <CropDialog source={source} onClose={closeCropper} onCrop={crop} />
    </Row>
  )
}

interface CropDialogProps {
  /** The address of the picture; `null` while there is none, and the dialog is closed. */
  source: string | null
  onClose(): void
  onCrop(source: string, area: Area): Promise<void>
}

function CropDialog({ source, onClose, onCrop }: CropDialogProps) {
  const [area, setArea] = useState<Area | null>(null)
  const close = (): void => {
    setArea(null)
    onClose()
  }
  const crop = async (): Promise<void> => {
    if (source === null || area === null) return
    await onCrop(source, area)
    setArea(null)
  }
  return (
    <Dialog
      open={source !== null}
      onClose={close}
      title={<FormattedMessage id="avatar.crop" />}
      actions={
        <>
          <Button onClick={close} text="common.cancel" />
          <Button primary disabled={area === null} onClick={() => void crop()} text="avatar.take" />
        </>
      }
    >
      {source === null ? null : (
        <Suspense fallback={<Skeleton height={300} />}>
          <Cropper source={source} onArea={setArea} />
        </Suspense>
      )}
    </Dialog>
  )
}
