import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { FastifyInstance } from 'fastify'

const YEAR_SECONDS = 31_536_000
/** Used only to measure the build; it names source files, so it is not served. */
const BUILD_MANIFEST = 'build-manifest.json'

/**
 * Serves the built site: hashed assets are cached permanently, everything else is revalidated. Client-side
 * routes are in the URL fragment.
 */
export function siteRoutes(app: FastifyInstance, folder: string): void {
  app.get('/', (_, reply) =>
    reply.header('cache-control', 'no-cache').sendFile('index.html', { cacheControl: false }),
  )

  app.get<{ Params: { '*': string } }>('/*', (request, reply) => {
    const path = request.params['*']
    // `send` refuses dotted paths; a missing file must give this site's own 404, not the library's.
    if (path.includes('..') || basename(path).startsWith(BUILD_MANIFEST) || !existsSync(join(folder, path)))
      return reply.callNotFound()
    const lasting = path.startsWith('assets/')
    return reply
      .header('cache-control', lasting ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache')
      .sendFile(path, { cacheControl: false })
  })
}
