import sharp from 'sharp'
import { PICTURE_SIZES, type PictureReply, type PictureRequest } from './picture-reader.ts'

/**
 * Decodes pictures in a process of its own, one at a time: what a small file unpacks to neither takes the threads that
 * passwords are hashed on, nor stays in the server's memory.
 */

/** A small file may unpack to an enormous picture. */
const MAX_PIXELS = 40_000_000
const READABLE = new Set(['jpeg', 'png', 'webp', 'gif'])

sharp.cache(false)
// No other parser ever sees a byte: neither XML nor anything else that the library could read.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadWebp', 'VipsForeignLoadNsgif'],
})
sharp.concurrency(1)

/** A picture as WebP, nothing but pixels of it; `null` for what is no picture. */
async function readPicture({ bytes, kind }: PictureRequest): Promise<Uint8Array | null> {
  const side = PICTURE_SIZES[kind]
  try {
    const picture = sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error', pages: 1 })
    // The head of the file alone says how large it is: nothing is decoded for that.
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
