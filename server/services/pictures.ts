import sharp from 'sharp'
import { FurlongError } from '../../domain/errors.ts'
import type { Queries } from '../store/database.ts'
import { lockCustomer, writeHeadFile } from '../store/customer-store.ts'
import { newId } from '../store/id.ts'
import { countFiles, insertFile } from '../store/site-store.ts'
import type { Service } from './service.ts'

export const MOST_PICTURE_BYTES = 5 * 1024 * 1024
/** A small file may unpack to an enormous picture. */
const MOST_PIXELS = 40_000_000
const READABLE = new Set(['jpeg', 'png', 'webp', 'gif'])
const SIZES = { avatar: 256, picture: 1600 } as const
const MOST_FILES = 100

export const STATIC_PATH = '/sys/common/static'
export const fileUrl = (fileId: string): string => `${STATIC_PATH}/${fileId}.webp`

/**
 * Reads a picture by its content, whatever its name says, and writes it anew as WebP: nothing but pixels is kept, no
 * place or camera, nothing that hides behind the picture. Throws `not-an-image`.
 */
export async function readPicture(bytes: Buffer, kind: keyof typeof SIZES): Promise<Buffer> {
  try {
    const picture = sharp(bytes, { limitInputPixels: MOST_PIXELS, failOn: 'error', pages: 1 })
    const { format } = await picture.metadata()
    if (format === undefined || !READABLE.has(format)) throw new FurlongError('not-an-image')
    const side = SIZES[kind]
    const fitted =
      kind === 'avatar'
        ? picture.rotate().resize(side, side, { fit: 'cover' })
        : picture.rotate().resize(side, side, { fit: 'inside', withoutEnlargement: true })
    return await fitted.webp({ quality: 82 }).toBuffer()
  } catch (error) {
    throw error instanceof FurlongError ? error : new FurlongError('not-an-image', {}, { cause: error })
  }
}

/** Stores a picture under a random name; an avatar takes the place of the one before. Answers its address. */
export async function storePicture(
  service: Service,
  customerId: string,
  bytes: Buffer,
  kind: keyof typeof SIZES,
): Promise<string> {
  const content = await readPicture(bytes, kind)
  const id = newId()
  await service.database.transaction(async (queries: Queries) => {
    // Held, so that the count is true and nothing is written behind a deletion.
    if ((await lockCustomer(queries, customerId)) === null) throw new FurlongError('session-ended')
    if (kind === 'picture' && (await countFiles(queries, customerId)) >= MOST_FILES) {
      throw new FurlongError('too-large', { limit: `${MOST_FILES} files` })
    }
    await insertFile(queries, { id, customerId, mediaType: 'image/webp', content }, service.now())
    if (kind === 'avatar') await writeHeadFile(queries, customerId, id)
  })
  return fileUrl(id)
}
