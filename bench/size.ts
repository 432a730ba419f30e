import { readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const SITE = fileURLToPath(new URL('../dist/site/', import.meta.url))

interface ManifestChunk {
  file: string
  isEntry?: boolean
  imports?: string[]
  css?: string[]
}

type BuildManifest = Record<string, ManifestChunk>

const brotliBytes = (file: string): number => statSync(`${SITE}${file}.br`).size

/** Files that a chunk needs immediately: its own and its static imports. */
function filesOf(manifest: BuildManifest, entry: string, seen = new Set<string>()): Set<string> {
  const chunk = manifest[entry]!
  seen.add(chunk.file)
  for (const css of chunk.css ?? []) seen.add(css)
  for (const other of chunk.imports ?? []) filesOf(manifest, other, seen)
  return seen
}

/** Brotli bytes of the first route's JavaScript (including the largest language) and of the lazy parts. */
export function benchSize() {
  const manifest = JSON.parse(readFileSync(`${SITE}build-manifest.json`, 'utf8')) as BuildManifest
  // The page's entry script only waits for the first paint; the module that it imports then is the first route.
  const entry = Object.keys(manifest).find((name) => manifest[name]!.isEntry)!
  const first = [...new Set([...filesOf(manifest, entry), ...filesOf(manifest, 'src/main.tsx')])].filter(
    (file) => file.endsWith('.js'),
  )
  const languages = Object.values(manifest).filter(({ file }) => file.startsWith('assets/messages-'))
  const language = Math.max(...languages.map(({ file }) => brotliBytes(file)))
  const lazy = (part: string): number => {
    const name = Object.keys(manifest).find((each) => each.includes(part))!
    return brotliBytes(manifest[name]!.file)
  }
  return {
    firstRouteJsBytes: first.reduce((sum, file) => sum + brotliBytes(file), 0) + language,
    firstRouteFiles: first,
    gridBytes: lazy('data-grid'),
    chartBytes: lazy('plot.tsx'),
    // The code that decodes the engine's responses, with the library that it shares with the console.
    engineClientBytes: [...filesOf(manifest, 'src/data/analytics/decode.ts')]
      .filter((file) => !first.includes(file))
      .reduce((sum, file) => sum + brotliBytes(file), 0),
    editorBytes: lazy('sql-editor'),
  }
}
