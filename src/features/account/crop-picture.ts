/** A part of a picture, in the picture's pixels. */
export interface Area {
  x: number
  y: number
  width: number
  height: number
}

const SIZE_PX = 512
const QUALITY = 0.9

/** A square of a picture as a JPEG of 512 × 512 pixels. Throws if the picture cannot be read. */
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
