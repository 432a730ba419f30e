import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { FastifyInstance } from 'fastify'

const YEAR_SECONDS = 31_536_000
/** For measuring the build; it names the files of the source. */
const BUILD_MANIFEST = 'build-manifest.json'

/** The built site: hashed assets for ever, everything else asked for anew. Routes live behind the hash. */
export function siteRoutes(app: FastifyInstance, folder: string): void {
  app.get('/', (_, reply) =>
    reply.header('cache-control', 'no-cache').sendFile('index.html', { cacheControl: false }),
  )

  app.get<{ Params: { '*': string } }>('/*', (request, reply) => {
    const path = request.params['*']
    // `send` refuses dotted paths; a missing file must be this site's own 404, not the library's.
    if (path.includes('..') || basename(path).startsWith(BUILD_MANIFEST) || !existsSync(join(folder, path)))
      return reply.callNotFound()
    const lasting = path.startsWith('assets/')
    return reply
      .header('cache-control', lasting ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache')
      .sendFile(path, { cacheControl: false })
  })
}
