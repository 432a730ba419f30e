import { FurlongError } from '../../domain/errors.ts'
import type { Queries } from '../db/database.ts'
import { lockCustomer, writeHeadFile } from '../store/accounts/customer-store.ts'
import { newId } from '../db/id.ts'
import { countFiles, insertFile } from '../store/operation/site-store.ts'
import type { PictureKind } from './picture-reader.ts'
import type { Service } from './service.ts'

export const MAX_PICTURE_BYTES = 5 * 1024 * 1024
const MAX_FILES = 100

export const STATIC_PATH = '/sys/common/static'
export const fileUrl = (fileId: string): string => `${STATIC_PATH}/${fileId}.webp`
/** The id of the file with a URL path that `fileUrl` returned. */
export const fileIdOf = (path: string): string => path.slice(STATIC_PATH.length + 1, -'.webp'.length)

/** Stores a picture under a random name and returns its URL path; an avatar replaces the previous one. */
export async function storePicture(
  service: Service,
  customerId: string,
  bytes: Buffer,
  kind: PictureKind,
): Promise<string> {
  const content = await service.pictures.read(bytes, kind, customerId)
  const id = newId()
  await service.database.transaction(async (queries: Queries) => {
    // Locks the customer, so that the count is exact and nothing is written after the account is deleted.
    if ((await lockCustomer(queries, customerId)) === null) throw new FurlongError('session-ended')
    if (kind === 'picture' && (await countFiles(queries, customerId)) >= MAX_FILES) {
      throw new FurlongError('too-large', { limit: `${MAX_FILES} files` })
    }
    await insertFile(queries, { id, customerId, mediaType: 'image/webp', content }, service.now())
    if (kind === 'avatar') await writeHeadFile(queries, customerId, id)
  })
  return fileUrl(id)
}
