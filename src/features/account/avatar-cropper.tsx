import { useState } from 'react'
import Cropper, { type Area } from 'react-easy-crop'
import { FormattedMessage, useIntl } from 'react-intl'
import styles from './avatar-cropper.module.css'

/** Moves and resizes a round crop area over a picture, by touch, mouse or arrow keys. */
export default function AvatarCropper({ source, onArea }: { source: string; onArea(area: Area): void }) {
  const intl = useIntl()
  const [crop, setCrop] = useState({ x: 0, y: 0 })
  const [zoom, setZoom] = useState(1)
  return (
    <>
      <div className={styles.stage}>
        <Cropper
          image={source}
          crop={crop}
          zoom={zoom}
          aspect={1}
          cropShape="round"
          showGrid={false}
          cropperProps={{ 'aria-label': intl.formatMessage({ id: 'avatar.crop' }) }}
          onCropChange={setCrop}
          onZoomChange={setZoom}
          onCropComplete={(_, pixels) => onArea(pixels)}
        />
      </div>
      <label className={styles.zoom}>
        <FormattedMessage id="avatar.zoom" />
        <input
          type="range"
          min={1}
          max={3}
          step={0.05}
          value={zoom}
          onChange={(event) => setZoom(Number(event.target.value))}
        />
      </label>
    </>
  )
}

const SIZE_PX = 512
const QUALITY = 0.9

/** A square of a picture, given in its pixels, as a JPEG of 512 × 512 pixels. Throws if the picture cannot be read. */
export async function cropPicture(source: string, area: Area): Promise<Blob> {
  const picture = new Image()
  picture.src = source
  await picture.decode()
  const canvas = document.createElement('canvas')
  canvas.width = SIZE_PX
  canvas.height = SIZE_PX
  const context = canvas.getContext('2d')
  if (!context) throw new Error('no canvas')
  // JPEG has no transparency: transparent areas become white instead of black.
  context.fillStyle = '#ffffff'
  context.fillRect(0, 0, SIZE_PX, SIZE_PX)
  context.drawImage(picture, area.x, area.y, area.width, area.height, 0, 0, SIZE_PX, SIZE_PX)
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture'))), 'image/jpeg', QUALITY)
  })
}
