import sharp from 'sharp'
import { PICTURE_SIZES, type PictureReply, type PictureRequest } from './picture-reader.ts'

/**
 * Decodes pictures in a separate process, one at a time: large decoded pictures neither block the threads
 * that hash passwords nor stay in the server's memory.
 */

/** Maximum pixels: a small file may decode to a huge picture. */
const MAX_PIXELS = 40_000_000
const READABLE = new Set(['jpeg', 'png', 'webp', 'gif'])

sharp.cache(false)
// Only these loaders are enabled: no XML or other parser of the library sees untrusted bytes.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadWebp', 'VipsForeignLoadNsgif'],
})
sharp.concurrency(1)

/** A picture as WebP, without metadata; `null` if it is not a picture. */
async function readPicture({ bytes, kind }: PictureRequest): Promise<Uint8Array | null> {
  const side = PICTURE_SIZES[kind]
  try {
    const picture = sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error', pages: 1 })
    // The dimensions are in the file header, so nothing is decoded to check them.
    const { format, width, height } = await picture.metadata()
    if (format === undefined || !READABLE.has(format) || width * height > MAX_PIXELS) return null
    const fitted =
      kind === 'avatar'
        ? picture.rotate().resize(side, side, { fit: 'cover' })
        : picture.rotate().resize(side, side, { fit: 'inside', withoutEnlargement: true })
    return await fitted.webp({ quality: 82 }).toBuffer()
  } catch {
    return null
  }
}

process.on('message', (request: PictureRequest) => {
  void readPicture(request).then((content) => {
    const reply: PictureReply = { content }
    process.send!(reply)
  })
})
// The server exited without ending this process.
process.on('disconnect', () => process.exit(0))
