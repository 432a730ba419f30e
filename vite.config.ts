import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from '@formatjs/icu-messageformat-parser'
import { createIntl } from '@formatjs/intl'
import react from '@vitejs/plugin-react'
import { defineConfig, runnerImport, type Plugin } from 'vite'
import { VitePWA, type VitePWAOptions } from 'vite-plugin-pwa'
import { questionTexts } from './analytics/questions/texts.ts'
import { LANGUAGES } from './domain/languages.ts'
import { cacheWillUpdate } from './src/app/cache-will-update.ts'
import { isExtraPart } from './src/i18n/extra-parts.ts'
import { licenceTexts } from './tools/lib/licences.mjs'
import { usedExports, withExports } from './tools/lib/wasm-exports.mjs'

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url))

const routerBuild = (file: string): string => path(`node_modules/react-router/dist/production/${file}`)

const { version } = JSON.parse(readFileSync(path('package.json'), 'utf8')) as { version: string }

/** Modules of one message file, `virtual:messages/en/account`, and of all that every screen needs, `virtual:messages/en`. */
const MESSAGES = 'virtual:messages/'
const MODULE = `\0${MESSAGES}`
/** Modules that load them: what every screen needs by language, and the parts by `language/part`. */
const TABLES = { shared: 'virtual:shared-messages', parts: 'virtual:message-parts' } as const

/** Parses ICU messages when the site is built, so that the parser is not shipped; those of the server are not shipped. */
function messages(): Plugin {
  const filesOf = (language: string): string[] =>
    readdirSync(path(`locales/${language}`)).map((name) => basename(name, '.json'))
  const partsOf = (language: string): string[] =>
    filesOf(language)
      .filter(isExtraPart)
      .map((part) => `${language}/${part}`)
  const table = (names: readonly string[]): string => {
    const entries = names.map(
      (name) => `${JSON.stringify(name)}: () => import(${JSON.stringify(`${MESSAGES}${name}`)})`,
    )
    return `export default {${entries.join(',')}}`
  }
  return {
    name: 'furlong-messages',
    enforce: 'pre',
    resolveId: (source) =>
      source === TABLES.shared || source === TABLES.parts || source.startsWith(MESSAGES)
        ? `\0${source}`
        : undefined,
    load(id) {
      if (id === `\0${TABLES.shared}`) return table(LANGUAGES)
      if (id === `\0${TABLES.parts}`) return table(LANGUAGES.flatMap(partsOf))
      if (!id.startsWith(MODULE)) return undefined
      const [language, part] = id.slice(MODULE.length).split('/')
      const isShared = (file: string): boolean => file !== 'server' && !isExtraPart(file)
      const files = part === undefined ? filesOf(language).filter(isShared) : [part]
      const parsed = files.flatMap((name) => {
        const file = path(`locales/${language}/${name}.json`)
        this.addWatchFile(file)
        const texts = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>
        return Object.entries(texts).map(([key, text]) => [key, parse(text)] as const)
      })
      return `export default ${JSON.stringify(Object.fromEntries(parsed))}`
    },
  }
}

/** Names the chunk of a module of messages: `messages-en`, or `en-account` for a part. */
function messagesChunk(id: string): string | null {
  if (!id.startsWith(MODULE)) return null
  const name = id.slice(MODULE.length)
  return name.includes('/') ? name.replace('/', '-') : `messages-${name}`
}

/** Module of one file of the contract, as the page sees it: `\0calls:racing`. */
const CALLS = '\0calls:'

/** What the page needs of an endpoint: `Call` in src/data/client/call.ts. */
interface Endpoint {
  method: string
  path: string
  multipart?: true
  query?: { shape: object }
}

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'result' in value

const callOf = ({ method, path: address, multipart, query }: Endpoint) => ({
  method,
  path: address,
  multipart,
  queryFields: method === 'POST' && query ? Object.keys(query.shape) : undefined,
})

/**
 * Gives the page only method and path of the contract's endpoints, so that no validator is shipped. It has none of the
 * other values of those files: to import one fails the build.
 */
function calls(): Plugin {
  const contract = path('contract/api')
  const page = path('src/')
  return {
    name: 'furlong-calls',
    enforce: 'pre',
    resolveId(source, importer) {
      if (!importer?.startsWith(page) || !source.startsWith('.')) return undefined
      const file = resolve(dirname(importer), source)
      return dirname(file) === contract ? CALLS + basename(file, '.ts') : undefined
    },
    async load(id) {
      if (!id.startsWith(CALLS)) return undefined
      const file = `${contract}/${id.slice(CALLS.length)}.ts`
      this.addWatchFile(file)
      const { module } = await runnerImport<Record<string, unknown>>(file)
      return Object.entries(module)
        .flatMap(([name, value]) =>
          isEndpoint(value) ? [`export const ${name} = ${JSON.stringify(callOf(value))}`] : [],
        )
        .join('\n')
    },
  }
}

/**
 * The opening texts of screens for a visitor, in each language: the page shows them before the
 * screens' code is loaded.
 */
function opening(): Plugin {
  const id = 'virtual:opening'
  return {
    name: 'furlong-opening',
    resolveId: (asked) => (asked === id ? `\0${id}` : undefined),
    load(asked) {
      if (asked !== `\0${id}`) return undefined
      const wordIn = (language: string) => (file: string, key: string) => {
        const whole = path(`locales/${language}/${file}.json`)
        this.addWatchFile(whole)
        const text = (JSON.parse(readFileSync(whole, 'utf8')) as Record<string, string>)[key]
        // A page without its text is only slower, which nobody would see.
        return text ?? this.error(`${whole} has no ${key}`)
      }
      const of = (language: string) => {
        const word = wordIn(language)
        const record = { title: word('record', 'record.title'), lead: word('workspace', 'record.visitor') }
        const tips = { title: word('common', 'title.raceHome'), lead: word('racing', 'tips.lead') }
        const results = {
          title: word('common', 'title.results'),
          lead: word('results', 'results.recentOnly'),
        }
        const home = { title: word('home', 'home.titleAny'), lead: word('home', 'home.lead') }
        return [language, { home, record, results, tips }]
      }
      return `export default ${JSON.stringify(Object.fromEntries(LANGUAGES.map(of)))}`
    },
  }
}

/** The texts that name dimensions, measures and values in every language: a question in words may be in any of them. */
function questionWords(): Plugin {
  const id = 'virtual:question-words'
  return {
    name: 'furlong-question-words',
    resolveId: (asked) => (asked === id ? `\0${id}` : undefined),
    load(asked) {
      if (asked !== `\0${id}`) return undefined
      const of = (language: string) => {
        const files = readdirSync(path(`locales/${language}`)).map((name) =>
          path(`locales/${language}/${name}`),
        )
        for (const file of files) this.addWatchFile(file)
        const texts = files.map((file) => JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>)
        const write: Parameters<typeof questionTexts>[1] = (message, values) =>
          createIntl({ locale: language, messages: { message } }).formatMessage({ id: 'message' }, values)
        return [language, questionTexts(Object.assign({}, ...texts) as Record<string, string>, write)]
      }
      return `export default ${JSON.stringify(Object.fromEntries(LANGUAGES.map(of)))}`
    },
  }
}

/** Addresses are cached for a year, and the engine's module changes after Vite has hashed it: how it changes is in its name. */
const REDUCTION = createHash('sha256')
  .update(readFileSync(path('tools/lib/wasm-exports.mjs')))
  .digest('hex')
  .slice(0, 8)
const assetFileNames = ({ names }: { names: string[] }): string =>
  names.includes('duckdb-eh.wasm')
    ? `assets/[name]-[hash]-${REDUCTION}[extname]`
    : 'assets/[name]-[hash][extname]'

/**
 * The engine without what this site never uses. Its worker prints every failing statement, although the caller gets the
 * error and shows it. Its module exports all its 75,000 symbols for extensions, which are never loaded here: their names
 * are a fifth of the module, and the browser makes an object of each whenever the engine starts.
 */
function smallEngine(): Plugin {
  const said = /console\.log\((\w+)\),(?=this\.failWith\(\w+,\1\))/g
  return {
    name: 'furlong-small-engine',
    generateBundle(_, bundle) {
      const assets = Object.values(bundle).filter((each) => each.type === 'asset')
      const worker = assets.find(({ fileName }) => fileName.includes('duckdb-browser-eh.worker'))
      const wasm = assets.find(({ fileName }) => /duckdb-eh\b.*\.wasm$/.test(fileName))
      if (!worker || !wasm) return
      const text = worker.source.toString()
      const quiet = text.replaceAll(said, '')
      if (quiet === text) this.error('the engine’s worker prints its errors in another way')
      worker.source = quiet
      const module = Buffer.from(wasm.source)
      wasm.source = withExports(module, usedExports(module, quiet))
    },
  }
}

/**
 * The components of react-intl without their names for React's tools: a name that is given keeps each component that the
 * site does not use.
 */
const smallIntl = (): Plugin => ({
  name: 'furlong-small-intl',
  apply: 'build',
  transform(code, id) {
    if (!id.endsWith('/react-intl/index.js')) return undefined
    const small = code.replaceAll(/^\w+\.displayName = .*;$/gm, '')
    if (small === code) this.error('react-intl names its components in another way')
    return { code: small, map: null }
  },
})

/** The folder of a module's package, below the project's; `null` of our own modules. */
const packageOf = (module: string): string | null =>
  /(?:^|\/)(node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+)\//.exec(module)?.[1] ?? null

/** Notes the packages of what is bundled. */
const bundledPackages = (found: Set<string>): Plugin => ({
  name: 'furlong-packages',
  generateBundle(_, bundle) {
    const chunks = Object.values(bundle).flatMap((each) => (each.type === 'chunk' ? [each] : []))
    for (const id of chunks.flatMap(({ moduleIds }) => moduleIds)) {
      const folder = packageOf(id)
      if (folder !== null) found.add(folder)
    }
  },
})

/** Ships the licence texts of the packages that the site is made of, workers included, as the licences demand. */
const licences = (found: ReadonlySet<string>): Plugin => ({
  name: 'furlong-licences',
  generateBundle() {
    this.emitFile({ type: 'asset', fileName: 'licences.txt', source: licenceTexts([...found]) })
  },
})

/** Packages of the site and its workers, which are bundled before it. */
const PACKAGES = new Set<string>()

/**
 * Names the chunk of our own modules that the first route imports statically: it is one file, because many small shared
 * ones would cost more than they save, and no module that only a later screen imports is in it.
 */
function firstRoute() {
  let reached: Set<string> | null = null
  return (id: string, modules: Modules): string | null => {
    reached ??= importedBelow(path('src/main.tsx'), modules)
    return reached.has(id) && !id.includes('/node_modules/') && id !== path('src/main.tsx') ? 'base' : null
  }
}

/** The files of all screens but the first, which are loaded when they are opened. */
const SCREENS = readdirSync(path('src/screens'), { recursive: true, encoding: 'utf8' }).filter((file) =>
  /^(?!home|not-found).*(-screen|race-body)\.tsx$/.test(file),
)
const RECORD = 'win-loss-record/win-loss-record-screen.tsx'
/** By how many screens a module is shared, most first: what it imports, which its chunk takes, too, is by as many or more. */
const COUNTS = SCREENS.map((_, at) => SCREENS.length - at)

/**
 * Names the chunk of what the record and the same other screens import statically, `count` in all: otherwise the
 * record would be thirty files, most of less than a kilobyte, and a phone asks for six at a time.
 */
function sharedBy(count: number) {
  let reached: Map<string, string[]> | null = null
  return (id: string, modules: Modules): string | null => {
    if (reached === null) {
      reached = new Map()
      const first = importedBelow(path('src/main.tsx'), modules)
      for (const screen of SCREENS)
        for (const each of importedBelow(path(`src/screens/${screen}`), modules))
          if (!first.has(each)) reached.set(each, [...(reached.get(each) ?? []), screen])
    }
    const screens = reached.get(id) ?? []
    if (screens.length !== count || !screens.includes(RECORD)) return null
    if (count === 1) return packageOf(id) === null ? 'workspace' : 'fields'
    return `shared-${createHash('sha256').update(screens.join()).digest('hex').slice(0, 4)}`
  }
}

interface Modules {
  getModuleInfo(id: string): { importedIds: readonly string[] } | null
}

/** The modules that an entry imports statically, directly or through others; itself included. */
function importedBelow(entry: string, modules: Modules, seen = new Set<string>()): Set<string> {
  if (seen.has(entry)) return seen
  seen.add(entry)
  for (const id of modules.getModuleInfo(entry)?.importedIds ?? []) importedBelow(id, modules, seen)
  return seen
}

/** Where `npm run dev` serves the API. */
const DEVELOPMENT_SERVER = 'http://127.0.0.1:4170'

/** The web app's manifest, and what its service worker stores. */
const SERVICE_WORKER: Partial<VitePWAOptions> = {
  // A deployment must not replace chunks under an open tab: the new build is used at the next start.
  registerType: 'prompt',
  injectRegister: false,
  manifest: {
    name: 'Furlong',
    short_name: 'Furlong',
    description: 'Racing analysis: predictions, results and an honest record. Not betting advice.',
    display: 'standalone',
    start_url: './',
    background_color: '#f6f4ef',
    theme_color: '#1d4f3f',
    icons: [
      { src: 'icon.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'any' },
      { src: 'icon-192.png', sizes: '192x192', type: 'image/png', purpose: 'any' },
      { src: 'icon-512.png', sizes: '512x512', type: 'image/png', purpose: 'any' },
      { src: 'icon-maskable.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
    ],
  },
  workbox: {
    // What the server tells: notifications, and what a click on one opens.
    importScripts: ['push-events.js'],
    // Precache every screen, but not the engine, grid, charts, map and calendar, which
    // are cached on first use.
    globPatterns: ['index.html', '*.{svg,png}', 'legal/*.{html,css}', 'assets/*.{js,css,woff2}'],
    globIgnores: [
      'assets/{duckdb,data-grid,plot,engine,decode,serialization,analytics,lab,console,own,read-,unpack,recognise-encoding,sql-editor,stadium-map,day-calendar}*',
    ],
    navigateFallbackDenylist: [/^\/(sys|race|trade|dataset|healthz|readyz)/],
    // Dataset files are cached by the engine itself, by hash.
    runtimeCaching: [
      {
        urlPattern: ({ url, sameOrigin }) => sameOrigin && url.pathname.includes('/assets/'),
        handler: 'CacheFirst',
        options: { cacheName: 'furlong-assets', expiration: { maxEntries: 120 } },
      },
      {
        urlPattern: ({ url, sameOrigin }) => sameOrigin && /\/(sys|race)\/api\//.test(url.pathname),
        handler: 'NetworkFirst',
        method: 'GET',
        options: {
          cacheName: 'furlong-api',
          expiration: { maxEntries: 60 },
          plugins: [{ cacheWillUpdate }],
        },
      },
    ],
  },
}

/** Which modules share a file. */
const chunks = () => ({
  // The first route is bundled as two files: many small shared ones would cost more than they save.
  groups: [
    // Separate, so that the page's entry script has no other dependencies.
    {
      name: 'preload',
      test: /preload-helper|rolldown\/runtime|likely-language|virtual:shared-messages|domain\/languages|virtual:opening/,
      priority: 2,
    },
    {
      name: 'vendor',
      test: /node_modules\/(react|react-dom|scheduler|react-router|react-router-dom|@tanstack|react-intl|@formatjs|intl-messageformat)\//,
    },
    { name: messagesChunk, priority: 2 },
    { name: firstRoute(), priority: 1 },
    // Fields, tables and lists of later screens: each alone would be a file of less than a kilobyte.
    { name: 'elements', test: /\/src\/ui\//, minShareCount: 3 },
    { name: 'icons', test: /\/lucide-react\//, minShareCount: 3 },
    // What only the record imports is with its screen, but for what its own later parts share with it.
    ...COUNTS.map((count) => ({ name: sharedBy(count), minShareCount: 2 })),
  ],
})

export default defineConfig(({ command }) => ({
  base: './',
  plugins: [
    react(),
    messages(),
    calls(),
    opening(),
    questionWords(),
    smallEngine(),
    smallIntl(),
    bundledPackages(PACKAGES),
    licences(PACKAGES),
    VitePWA(SERVICE_WORKER),
  ],
  // plotly.js uses node's `global`.
  define: { global: 'globalThis', __BUILD_VERSION__: JSON.stringify(version) },
  resolve: {
    alias: [
      // Stylesheet of map charts, which are not used.
      { find: /^maplibre-gl\/dist\/maplibre-gl\.css$/, replacement: path('src/widgets/chart/empty.css') },
      ...(command === 'build'
        ? [
            {
              find: /^@formatjs\/icu-messageformat-parser$/,
              replacement: '@formatjs/icu-messageformat-parser/no-parser.js',
            },
            // The package holds a build without its warnings, but its exports only lead to the one with them.
            { find: /^react-router$/, replacement: routerBuild('index.mjs') },
            { find: /^react-router\/dom$/, replacement: routerBuild('dom-export.mjs') },
          ]
        : []),
    ],
  },
  worker: {
    format: 'es' as const,
    plugins: () => [bundledPackages(PACKAGES)],
    rolldownOptions: {
      output: {
        assetFileNames,
        // Two readers of a user's own files share it.
        codeSplitting: { groups: [{ name: 'unpack-zip', test: /node_modules\/fflate\// }] },
      },
    },
  },
  build: {
    outDir: 'dist/site',
    target: 'es2022',
    manifest: 'build-manifest.json',
    // A chunk of messages needs nothing that the page has not loaded before it. A browser that cannot preload modules loads them
    // when they are imported.
    modulePreload: {
      polyfill: false,
      resolveDependencies: (file, needed) => (/^assets\/(messages|en|zh-Han[ts])-/.test(file) ? [] : needed),
    },
    rolldownOptions: {
      output: {
        assetFileNames,
        codeSplitting: chunks(),
      },
    },
    chunkSizeWarningLimit: 4000,
    // One stylesheet: four render-blocking ones would cost four round trips on a phone.
    cssCodeSplit: false,
    assetsInlineLimit: 0,
  },
  optimizeDeps: { include: ['plotly.js/lib/core', 'plotly.js/lib/bar', 'react-plotly.js/factory'] },
  server: {
    port: 4171,
    proxy: {
      ...Object.fromEntries(
        ['/sys', '/race', '/trade', '/dataset', '/analytics'].map((prefix) => [prefix, DEVELOPMENT_SERVER]),
      ),
      // The live line; Vite's own socket has another path.
      '^/[a-z0-9]+/[A-Za-z0-9-]+_app': { target: DEVELOPMENT_SERVER, ws: true },
    },
  },
}))
