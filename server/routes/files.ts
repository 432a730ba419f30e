import fastifyMultipart from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { uploadAvatar, uploadFile } from '../../contract/api/account.ts'
import { FurlongError } from '../../domain/errors.ts'
import { attempt } from '../services/limits.ts'
import { MAX_PICTURE_BYTES, STATIC_PATH, storePicture } from '../services/pictures.ts'
import { readFile } from '../store/operation/site-store.ts'
import { found, type Answer } from './answer.ts'
import type { Context } from './context.ts'
import { ownAccountOnly } from './paging.ts'

const NAME = /^([0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12})\.webp$/
const YEAR_SECONDS = 31_536_000
const FORM_BYTES = 64 * 1024

/** Routes to upload pictures, and to fetch them under random names. */
export async function fileRoutes(app: FastifyInstance, answer: Answer, { service }: Context): Promise<void> {
  await app.register(fastifyMultipart, {
    limits: { fileSize: MAX_PICTURE_BYTES, files: 1, fields: 5, fieldSize: 1024, headerPairs: 50 },
    throwFileSizeLimit: true,
  })
  const options = { bodyLimit: MAX_PICTURE_BYTES + FORM_BYTES }

  answer(uploadAvatar, options, async ({ query, viewer, request }) => {
    ownAccountOnly(viewer, query.userid)
    await attempt(service, { 'upload account': viewer.id })
    return { avatarUrl: await storePicture(service, viewer.id, await fileOf(request), 'avatar') }
  })

  answer(uploadFile, options, async ({ viewer, request }) => {
    await attempt(service, { 'upload account': viewer.id })
    return { obj: await storePicture(service, viewer.id, await fileOf(request), 'picture') }
  })

  app.get<{ Params: { '*': string } }>(`${STATIC_PATH}/*`, async (request, reply) => {
    const id = NAME.exec(request.params['*'])?.[1]
    const file = found(id === undefined ? null : await readFile(service.database, id))
    return reply
      .header('cache-control', `public, max-age=${YEAR_SECONDS}, immutable`)
      .header('content-disposition', 'inline')
      .type(file.mediaType)
      .send(Buffer.from(file.content))
  })
}

const tooLarge = (): FurlongError =>
  new FurlongError('too-large', { limit: `${MAX_PICTURE_BYTES / 1024 / 1024} MB` })

/** The form field `file`. Throws `bad-parameters` without one, `wrong-media-type`, `too-large`. */
async function fileOf(request: FastifyRequest): Promise<Buffer> {
  if (!request.isMultipart()) throw new FurlongError('wrong-media-type')
  const missing = { reason: 'file', field: 'file', rule: 'field.required' }
  let part: Awaited<ReturnType<FastifyRequest['file']>>
  try {
    part = await request.file()
    if (!part || part.fieldname !== 'file') throw new FurlongError('bad-parameters', missing)
    const content = await part.toBuffer()
    // The stream may end at the limit before its error is raised.
    if (part.file.truncated) throw tooLarge()
    return content
  } catch (error) {
    if (error instanceof FurlongError) throw error
    const { code } = error as { code?: string }
    if (code === 'FST_REQ_FILE_TOO_LARGE') throw tooLarge()
    // A truncated or invalid form.
    throw new FurlongError('bad-parameters', missing, { cause: error })
  }
}
