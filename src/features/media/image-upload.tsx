import { Camera, ImagePlus, X } from 'lucide-react'
import { useRef, useState } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { uploadFile } from '../../../contract/api/account.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { showToast } from '../../ui/toast.tsx'
import { useErrorText } from '../../ui/use-error-text.ts'
import { Row, Small, Stack } from '../../ui/layout.tsx'
import styles from './image-upload.module.css'
import { call } from '../../data/client/call.ts'

/** Maximum number of pictures (specification section 5), and maximum bytes of each. */
const MOST = 3
const MAX_BYTES = 5 * 1024 * 1024

interface ImageUploadProps {
  /** Addresses of the uploaded pictures. */
  pictures: readonly string[]
  most?: number
  onChange(pictures: string[]): void
}

/** Uploads the selected files one after another, shows what is refused, and passes on those that were stored. */
function useUpload({ pictures, most = MOST, onChange }: ImageUploadProps) {
  const intl = useIntl()
  const errorText = useErrorText()
  const [busy, setBusy] = useState(false)
  const upload = async (input: HTMLInputElement): Promise<void> => {
    const files = [...(input.files ?? [])]
    input.value = ''
    const room = most - pictures.length
    if (files.length > room) showToast(intl.formatMessage({ id: 'upload.most' }, { count: most }), 'bad')
    setBusy(true)
    const stored: string[] = []
    for (const file of files.slice(0, room)) {
      if (file.size > MAX_BYTES) {
        showToast(intl.formatMessage({ id: 'error.too-large' }, { limit: '5 MB' }), 'bad')
        continue
      }
      try {
        stored.push((await call(uploadFile, { file })).obj)
      } catch (error) {
        showToast(errorText(error), 'bad')
      }
    }
    setBusy(false)
    if (stored.length > 0) onChange([...pictures, ...stored])
  }
  return { busy, upload }
}

/**
 * Pictures from the album or the camera: uploaded immediately, previewed, and removed after a confirmation.
 */
export function ImageUpload(props: ImageUploadProps) {
  const { pictures, most = MOST, onChange } = props
  const album = useRef<HTMLInputElement>(null)
  const camera = useRef<HTMLInputElement>(null)
  const { busy, upload } = useUpload(props)
  const [preview, setPreview] = useState<string | null>(null)
  const [deleting, setDeleting] = useState<string | null>(null)
  const full = pictures.length >= most
  return (
    <Stack tight>
      <Thumbnails pictures={pictures} onPreview={setPreview} onDelete={setDeleting} />
      <Row>
        <Button disabled={full || busy} onClick={() => album.current?.click()}>
          <ImagePlus aria-hidden="true" size={16} />
          <FormattedMessage id={busy ? 'form.sending' : 'upload.album'} />
        </Button>
        <Button disabled={full || busy} onClick={() => camera.current?.click()}>
          <Camera aria-hidden="true" size={16} />
          <FormattedMessage id="upload.camera" />
        </Button>
        <Small as="span">
          <FormattedMessage id="upload.count" values={{ count: pictures.length, most }} />
        </Small>
      </Row>
      <input
        ref={album}
        type="file"
        accept="image/jpeg,image/png,image/webp,image/gif"
        multiple
        hidden
        onChange={({ target }) => void upload(target)}
      />
      <input
        ref={camera}
        type="file"
        accept="image/*"
        capture="environment"
        hidden
        onChange={({ target }) => void upload(target)}
      />
      <Dialog
        wide
        open={preview !== null}
        onClose={() => setPreview(null)}
        title={<FormattedMessage id="title.previewImage" />}
      >
        <LargePicture url={preview} />
      </Dialog>
      <Dialog
        open={deleting !== null}
        onClose={() => setDeleting(null)}
        title={<FormattedMessage id="upload.sure" />}
        actions={
          <>
            <Button onClick={() => setDeleting(null)} text="common.cancel" />
            <Button
              primary
              onClick={() => {
                onChange(pictures.filter((url) => url !== deleting))
                setDeleting(null)
              }}
              text="common.delete"
            />
          </>
        }
      >
        <LargePicture url={deleting} />
      </Dialog>
    </Stack>
  )
}

interface ThumbnailsProps {
  pictures: readonly string[]
  onPreview(url: string): void
  onDelete(url: string): void
}

function Thumbnails({ pictures, onPreview, onDelete }: ThumbnailsProps) {
  const intl = useIntl()
  return (
    <ul className={styles.pictures}>
      {pictures.map((url, index) => (
        <li key={url}>
          <button
            type="button"
            className={styles.thumb}
            aria-label={intl.formatMessage(
              { id: 'preview.picture' },
              { number: index + 1, count: pictures.length },
            )}
            onClick={() => onPreview(url)}
          >
            <img src={url} alt="" />
          </button>
          <button
            type="button"
            className={styles.remove}
            aria-label={intl.formatMessage({ id: 'upload.remove' }, { number: index + 1 })}
            onClick={() => onDelete(url)}
          >
            <X aria-hidden="true" size={14} />
          </button>
        </li>
      ))}
    </ul>
  )
}

function LargePicture({ url }: { url: string | null }) {
  const intl = useIntl()
  if (url === null) return null
  return <img className={styles.large} src={url} alt={intl.formatMessage({ id: 'title.previewImage' })} />
}
