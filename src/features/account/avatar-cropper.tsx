import { useState } from 'react'
import Cropper from 'react-easy-crop'
import { FormattedMessage, useIntl } from 'react-intl'
import styles from './avatar-cropper.module.css'
import type { Area } from './crop-picture.ts'

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
