import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { MANIFEST_PATH } from '../../contract/dataset-paths.ts'
import type { DatasetFile } from '../../contract/dataset.ts'
import { lastRaceDay } from '../../contract/last-race-day.ts'
import { FurlongError } from '../../domain/errors.ts'
import { datasetFolder, readManifest } from '../dataset/dataset-index.ts'
import type { FileGuard } from '../dataset/file-guard.ts'
import { mayFetch } from '../services/gate.ts'
import { viewerOf } from '../services/viewer.ts'
import { tokenOf, type Context } from './context.ts'

const FILE = /^[0-9a-f]{64}\.duckdb$/
const YEAR_SECONDS = 31_536_000
const CATCH_UP_MS = 1000

/**
 * Serves the manifest, and dataset files by their content hash; entitled files only to viewers allowed by the
 * gate.
 */
export function datasetRoutes(app: FastifyInstance, { settings, bucket, service, fileGuard }: Context): void {
  const { dataFolder } = settings
  let caughtUpAt = 0
  /**
   * Pulls newer files than the folder's from the bucket, at most once a second, even if clients request
   * unknown names.
   */
  const catchUp = async (): Promise<boolean> => {
    if (Date.now() - caughtUpAt < CATCH_UP_MS) return false
    caughtUpAt = Date.now()
    return bucket!.pull(datasetFolder(dataFolder)).catch(() => false)
  }
  app.get(`/${MANIFEST_PATH}`, async (request, reply) => {
    const manifest = readManifest(dataFolder)
    if (!manifest) throw new FurlongError('not-found')
    const body = JSON.stringify(manifest)
    const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`
    reply.header('cache-control', 'no-cache').header('etag', etag)
    if (request.headers['if-none-match'] === etag) return reply.code(304).send()
    return reply.type('application/json; charset=utf-8').send(body)
  })

  app.get<{ Params: { file: string } }>('/dataset/:file', async (request, reply) => {
    const { file } = request.params
    if (!FILE.test(file)) throw new FurlongError('not-found')
    const read = () => {
      const manifest = readManifest(dataFolder)
      return { manifest, listed: manifest?.files.find(({ sha256 }) => file.startsWith(sha256)) }
    }
    let { manifest, listed } = read()
    // Another machine may have served the manifest, with files that this one does not have yet.
    if (!listed && bucket !== null && (await catchUp())) ({ manifest, listed } = read())
    // Only listed files are served, even if an older file is still in the folder.
    if (!manifest || !listed) throw new FurlongError('not-found')
    const lastDay = lastRaceDay(manifest.files, listed.regionId)
    const entitled = listed.entitlement === 'member'
    if (entitled) {
      const viewer = await viewerOf(service.database, tokenOf(request), service.now())
      if (viewer === null) throw new FurlongError('signed-out')
      if (!mayFetch(viewer, listed, lastDay)) throw new FurlongError('vip-needed')
    } else if (!mayFetch(null, listed, lastDay)) {
      throw new FurlongError('not-found')
    }
    const folder = datasetFolder(dataFolder)
    requireWhole(fileGuard, folder, listed)
    // A range refers to the uncompressed file.
    if (request.headers.range !== undefined) delete request.headers['accept-encoding']
    reply.header('vary', entitled ? 'accept-encoding, x-access-token' : 'accept-encoding')
    const visibility = entitled ? 'private' : 'public'
    return reply
      .header('cache-control', `${visibility}, max-age=${YEAR_SECONDS}, immutable`)
      .type('application/octet-stream')
      .sendFile(file, folder, { cacheControl: false })
  })
}

/** Throws unless a file is there and matches its hash, as far as is known: the browser would refuse it otherwise. */
function requireWhole(fileGuard: FileGuard, folder: string, { sha256 }: DatasetFile): void {
  if (fileGuard.isDamaged(sha256)) throw new FurlongError('dataset-unavailable', { status: 503, seconds: 5 })
  if (!existsSync(join(folder, `${sha256}.duckdb`))) throw new FurlongError('not-found')
}
