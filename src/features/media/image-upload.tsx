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
  /** Changes the pictures as they are then: an upload ends later than it began. */
  onChange(change: (pictures: readonly string[]) => string[]): void
  /** Called when an upload begins, and when it has ended. */
  onBusy(busy: boolean): void
}

/** Uploads the selected files one after another, shows what is refused, and passes on those that were stored. */
function useUpload({ pictures, most = MOST, onChange, onBusy }: ImageUploadProps) {
  const intl = useIntl()
  const errorText = useErrorText()
  const [busy, setBusy] = useState(false)
  const tellBusy = (now: boolean): void => {
    setBusy(now)
    onBusy(now)
  }
  const upload = async (input: HTMLInputElement): Promise<void> => {
    const files = [...(input.files ?? [])]
    input.value = ''
    const room = most - pictures.length
    if (files.length > room) showToast(intl.formatMessage({ id: 'upload.most' }, { count: most }), 'bad')
    tellBusy(true)
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
    tellBusy(false)
    if (stored.length > 0) onChange((before) => [...before, ...stored])
  }
  return { busy, upload }
}

/** Pictures from the album or the camera: uploaded immediately, previewed, and removed after a confirmation. */
export function ImageUpload(props: ImageUploadProps) {
  const { pictures, most = MOST, onChange } = props
  const intl = useIntl()
  const album = useRef<HTMLInputElement>(null)
  const camera = useRef<HTMLInputElement>(null)
  const { busy, upload } = useUpload(props)
  /** The picture that is previewed, or about to be deleted. */
  const [shown, setShown] = useState<{ url: string; deleting: boolean } | null>(null)
  const close = (): void => setShown(null)
  const full = pictures.length >= most
  return (
    <Stack tight>
      <Thumbnails pictures={pictures} onShow={(url, deleting) => setShown({ url, deleting })} />
      <Row>
        <Button busy={busy} disabled={full} onClick={() => album.current?.click()}>
          <ImagePlus aria-hidden="true" size={16} />
          <FormattedMessage id={busy ? 'form.sending' : 'upload.album'} />
        </Button>
        <Button busy={busy} disabled={full} onClick={() => camera.current?.click()}>
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
        wide={!shown?.deleting}
        open={shown !== null}
        onClose={close}
        title={<FormattedMessage id={shown?.deleting ? 'upload.sure' : 'title.previewImage'} />}
        actions={
          shown?.deleting ? (
            <>
              <Button onClick={close} text="common.cancel" />
              <Button
                primary
                onClick={() => {
                  onChange((before) => before.filter((url) => url !== shown.url))
                  close()
                }}
                text="common.delete"
              />
            </>
          ) : null
        }
      >
        <img
          className={styles.large}
          src={shown?.url}
          alt={intl.formatMessage({ id: 'title.previewImage' })}
        />
      </Dialog>
    </Stack>
  )
}

interface ThumbnailsProps {
  pictures: readonly string[]
  onShow(url: string, deleting: boolean): void
}

function Thumbnails({ pictures, onShow }: ThumbnailsProps) {
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
            onClick={() => onShow(url, false)}
          >
            <img src={url} alt="" />
          </button>
          <button
            type="button"
            className={styles.remove}
            aria-label={intl.formatMessage({ id: 'upload.remove' }, { number: index + 1 })}
            onClick={() => onShow(url, true)}
          >
            <X aria-hidden="true" size={14} />
          </button>
        </li>
      ))}
    </ul>
  )
}
