import { Camera, ImagePlus, X } from 'lucide-react'
import { useRef, useState } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { asFurlongError } from '../../../domain/errors.ts'
import { uploadPicture } from '../../data/calls/account-calls.ts'
import { Refused } from '../../data/client/errors.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { showToast } from '../../ui/toast.tsx'
import layout from '../../ui/layout.module.css'
import styles from './image-upload.module.css'

/** Maximum number of pictures (specification section 5), and maximum bytes of each. */
const MOST = 3
const MAX_BYTES = 5 * 1024 * 1024

interface ImageUploadProps {
  /** Addresses of the uploaded pictures. */
  pictures: readonly string[]
  most?: number
  onChange(pictures: string[]): void
}

/**
 * Pictures from the album or the camera: uploaded immediately, previewed, and removed after a confirmation.
 */
export function ImageUpload({ pictures, most = MOST, onChange }: ImageUploadProps) {
  const intl = useIntl()
  const album = useRef<HTMLInputElement>(null)
  const camera = useRef<HTMLInputElement>(null)
  const [busy, setBusy] = useState(false)
  const [preview, setPreview] = useState<string | null>(null)
  const [deleting, setDeleting] = useState<string | null>(null)
  const take = async (input: HTMLInputElement): Promise<void> => {
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
        stored.push((await uploadPicture(file)).obj)
      } catch (error) {
        showToast(
          error instanceof Refused
            ? error.told
            : intl.formatMessage({ id: `error.${asFurlongError(error).code}` }),
          'bad',
        )
      }
    }
    setBusy(false)
    if (stored.length > 0) onChange([...pictures, ...stored])
  }
  const full = pictures.length >= most
  return (
    <div className={layout.tight}>
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
              onClick={() => setPreview(url)}
            >
              <img src={url} alt="" />
            </button>
            <button
              type="button"
              className={styles.remove}
              aria-label={intl.formatMessage({ id: 'upload.remove' }, { number: index + 1 })}
              onClick={() => setDeleting(url)}
            >
              <X aria-hidden="true" size={14} />
            </button>
          </li>
        ))}
      </ul>
      <div className={layout.toolbar}>
        <Button disabled={full || busy} onClick={() => album.current?.click()}>
          <ImagePlus aria-hidden="true" size={16} />
          <FormattedMessage id={busy ? 'form.sending' : 'upload.album'} />
        </Button>
        <Button disabled={full || busy} onClick={() => camera.current?.click()}>
          <Camera aria-hidden="true" size={16} />
          <FormattedMessage id="upload.camera" />
        </Button>
        <span className={layout.small}>
          <FormattedMessage id="upload.count" values={{ count: pictures.length, most }} />
        </span>
      </div>
      <input
        ref={album}
        type="file"
        accept="image/jpeg,image/png,image/webp,image/gif"
        multiple
        hidden
        onChange={({ target }) => void take(target)}
      />
      <input
        ref={camera}
        type="file"
        accept="image/*"
        capture="environment"
        hidden
        onChange={({ target }) => void take(target)}
      />
      <Dialog
        wide
        open={preview !== null}
        onClose={() => setPreview(null)}
        title={<FormattedMessage id="title.previewImage" />}
      >
        {preview === null ? null : (
          <img
            className={styles.large}
            src={preview}
            alt={intl.formatMessage({ id: 'title.previewImage' })}
          />
        )}
      </Dialog>
      <Dialog
        open={deleting !== null}
        onClose={() => setDeleting(null)}
        title={<FormattedMessage id="upload.sure" />}
        actions={
          <>
            <Button onClick={() => setDeleting(null)}>
              <FormattedMessage id="common.cancel" />
            </Button>
            <Button
              primary
              onClick={() => {
                onChange(pictures.filter((url) => url !== deleting))
                setDeleting(null)
              }}
            >
              <FormattedMessage id="common.delete" />
            </Button>
          </>
        }
      >
        {deleting === null ? null : (
          <img
            className={styles.large}
            src={deleting}
            alt={intl.formatMessage({ id: 'title.previewImage' })}
          />
        )}
      </Dialog>
    </div>
  )
}
