import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { ROOT, fail, holding, run } from './install.mjs'
import { filesBelow, hashSources } from './sources.mjs'

export const SITE = join(ROOT, 'dist/site')
const SOURCES = [
  'domain',
  'contract',
  'analytics',
  'workers',
  'src',
  'locales',
  'public',
  'index.html',
  'vite.config.ts',
  'tools/lib/licences.mjs',
  'tools/lib/wasm-exports.mjs',
  'package-lock.json',
]
const COMPRESSED = /\.(js|css|html|svg|txt|wasm|json|webmanifest)$/
/** Larger files get a lower quality: the highest takes a minute for the engine's 27 MB and saves only a twentieth. */
const LARGE_BYTES = 4_000_000

/** The mode is part of it: a development bundle of an earlier edition must not be mistaken for this one. */
const fingerprint = () => hashSources(createHash('sha256').update('production'), SOURCES)

/** Environment of the build: a development bundle is slower and larger, and lacks the service worker. */
export const buildEnvironment = (environment) => ({ ...environment, NODE_ENV: 'production' })

const MARKER = join(ROOT, 'dist/site-fingerprint')
const isBuiltFrom = (wanted) => existsSync(MARKER) && readFileSync(MARKER, 'utf8') === wanted

/** Whether the site was built from these exact sources. */
export const isSiteBuilt = () => isBuiltFrom(fingerprint())

/** Builds the site, unless it was already built from these exact sources. */
export const buildSite = () => buildUsableSite(() => {})

/** Does the same, and calls `onUsable` as soon as the site can be served: its compressed copies may follow. */
export function buildUsableSite(onUsable) {
  const wanted = fingerprint()
  if (isBuiltFrom(wanted)) return onUsable()
  mkdirSync(join(ROOT, 'dist'), { recursive: true })
  // Another command may build at the same time.
  holding(join(ROOT, 'dist/site-building'), () => {
    if (isBuiltFrom(wanted)) onUsable()
    else build(wanted, onUsable)
  })
}

/**
 * Builds the site in a process of its own. Resolves as soon as it can be served; exits if that fails. The server prepares
 * its data meanwhile, which takes longer, so it comes first; the site's compressed copies come last.
 */
export async function buildSiteUntilUsable() {
  const program = `
    import { writeSync } from 'node:fs'
    import { setPriority } from 'node:os'
    import { buildUsableSite } from '${import.meta.url}'
    setPriority(19)
    buildUsableSite(() => writeSync(1, 'usable'))`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const usable = await Promise.race([once(child.stdout, 'data').then(() => true), ended.then(() => false)])
  if (!usable) process.exit(1)
}

function build(wanted, onUsable) {
  process.stderr.write('building the site…\n')
  const status = run(
    process.execPath,
    [join(ROOT, 'node_modules/vite/bin/vite.js'), 'build', '--mode', 'production', '--logLevel', 'error'],
    {
      env: buildEnvironment(process.env),
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  )
  if (status !== 0) fail('the site could not be built')
  onUsable()
  compressSite()
  writeFileSync(MARKER, wanted)
}

/** Writes a brotli copy of every compressible file; copies are cached between builds. */
function compressSite() {
  const cache = join(ROOT, 'node_modules/.cache/brotli')
  mkdirSync(cache, { recursive: true })
  for (const path of filesBelow(SITE)) {
    if (!COMPRESSED.test(path)) continue
    const content = readFileSync(path)
    const kept = join(cache, createHash('sha256').update(content).digest('hex'))
    if (!existsSync(kept)) {
      const quality = content.length > LARGE_BYTES ? 8 : 11
      writeFileSync(
        kept,
        brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } }),
      )
    }
    copyFileSync(kept, `${path}.br`)
  }
}
