/**
 * Which folder may import which. A folder imports folders of lower floors only, types included, so that no two folders
 * import each other; `tools/check-imports.mjs` applies these rules and prints the floors.
 */
const folder = (name) => `^${name}/[^/]+$`
const inside = (name) => `^${name}/`

/** The floors from the ground up; folders of one floor know nothing of each other. */
const FLOORS = {
  workers: [
    [folder('workers/channel'), folder('workers/lab')],
    [folder('workers/engine')],
    [folder('workers/console'), folder('workers/own')],
    [folder('workers')],
  ],
  src: [
    [folder('src/storage')],
    [folder('src/ui/behaviour'), folder('src/data/client')],
    [folder('src/ui'), folder('src/data/calls'), folder('src/i18n'), folder('src/widgets/grid')],
    [folder('src/ui/fields'), folder('src/widgets/chart'), folder('src/data')],
    [folder('src/data/analytics'), folder('src/widgets/follow')],
    [inside('src/features')],
    [folder('src/workspace/state')],
    [folder('src/workspace/query')],
    [folder('src/workspace/words')],
    [folder('src/workspace/parts'), folder('src/workspace/questions')],
    [folder('src/workspace/files')],
    [
      folder('src/workspace/panels'),
      folder('src/workspace/list'),
      folder('src/workspace/saved'),
      folder('src/workspace/compare'),
      folder('src/workspace/lab'),
      folder('src/workspace/own'),
    ],
    [folder('src/workspace/console')],
    [folder('src/workspace')],
    [inside('src/screens')],
    [inside('src/app')],
    [folder('src')],
  ],
  server: [
    [folder('server/process'), folder('server/model/features')],
    [
      folder('server/model/models'),
      folder('server/analytics'),
      folder('server/db'),
      folder('server/gateways'),
    ],
    [folder('server/model'), folder('server/drafts')],
    [folder('server/store/operation')],
    [folder('server/store/racing')],
    [folder('server/store/accounts')],
    [
      folder('server/services'),
      folder('server/ingest/reading'),
      folder('server/ingest/demo'),
      folder('server/scoring'),
    ],
    [folder('server/ingest/furlong'), folder('server/ingest/hk'), folder('server/ingest/us')],
    [folder('server/ingest/mapping')],
    [folder('server/ingest'), folder('server/dataset'), folder('server/demo'), folder('server/alerts')],
    [folder('server/routes'), folder('server/jobs')],
    [folder('server/serving')],
    [folder('server/commands')],
    [folder('server')],
  ],
}

/** One rule for each folder of the floors but the highest, which may import all others. */
const floorRules = Object.entries(FLOORS)
  .flatMap(([name, floors]) =>
    floors.flatMap((floor, at) =>
      floor.map((path) => ({
        name: `${name}-floor-${at + 1}-imports-lower-floors-only`,
        severity: 'error',
        from: { path },
        to: {
          path: floors
            .slice(at)
            .flat()
            .filter((other) => other !== path),
        },
      })),
    ),
  )
  .filter(({ to }) => to.path.length > 0)

/** Which package may import which: the packages of the map in ARCHITECTURE.md. */
const room = inside
const rooms = ['domain', 'contract', 'analytics', 'workers', 'src', 'server', 'bench', 'tests', 'tools']
const only = (name, from, allowed) => ({
  name,
  severity: 'error',
  from: { path: from },
  to: { path: rooms.filter((each) => !allowed.includes(each)).map(room) },
})

module.exports = {
  forbidden: [
    ...floorRules,
    only('domain-imports-domain', room('domain'), ['domain']),
    only('contract-imports-domain', room('contract'), ['domain', 'contract']),
    only('analytics-imports-contract', room('analytics'), ['domain', 'contract', 'analytics']),
    only('workers-import-analytics', room('workers'), ['domain', 'contract', 'analytics', 'workers']),
    only('src-imports-analytics', room('src'), ['domain', 'contract', 'analytics', 'src']),
    only('server-imports-analytics', room('server'), ['domain', 'contract', 'analytics', 'server']),
    {
      name: 'analytics-is-pure',
      severity: 'error',
      from: { path: room('analytics') },
      // Manifest types come from contract files that contain validators; they may only be imported as types.
      to: { dependencyTypes: ['npm', 'core'] },
    },
    {
      name: 'domain-is-pure',
      severity: 'error',
      from: { path: room('domain') },
      // Hashing is pure arithmetic, and the browser's built-in hashing needs a secure context.
      to: { dependencyTypes: ['npm', 'core'], pathNot: 'node_modules/@noble/hashes' },
    },
    {
      name: 'contract-has-zod-only',
      severity: 'error',
      from: { path: room('contract'), pathNot: '^contract/existing-phone' },
      to: { dependencyTypes: ['npm', 'core'], pathNot: 'node_modules/zod' },
    },
    {
      // Every country's numbers weigh more than a screen: validators are the server's, and the page has none of them.
      name: 'phones-of-all-countries-on-the-server',
      severity: 'error',
      from: { path: rooms.map(room), pathNot: '^contract/existing-phone|^tests/' },
      to: { path: 'node_modules/libphonenumber-js' },
    },
    {
      name: 'existing-phone-for-validators-only',
      severity: 'error',
      from: { path: rooms.map(room), pathNot: '^contract/api/fields|^tests/' },
      to: { path: '^contract/existing-phone' },
    },
    {
      name: 'one-door-to-duckdb-wasm',
      severity: 'error',
      from: { path: rooms.map(room), pathNot: '^workers/engine/|^tests/|^bench/' },
      to: { path: 'node_modules/@duckdb/duckdb-wasm' },
    },
    {
      name: 'comlink-at-the-two-ends',
      severity: 'error',
      from: {
        path: '^(src|workers)/',
        pathNot:
          '^workers/(analytics\\.worker|lab\\.worker|console\\.worker|own\\.worker|channel/reply|engine/engine)\\.ts$|^src/data/analytics/(engine|lab|console|own|worker-channel)\\.ts$',
      },
      to: { path: 'node_modules/comlink' },
    },
    {
      name: 'a-feature-never-a-feature',
      severity: 'error',
      from: { path: '^src/features/([^/]+)/' },
      to: { path: '^src/features/', pathNot: '^src/features/$1/' },
    },
    {
      name: 'a-screen-never-a-screen',
      severity: 'error',
      from: { path: '^src/screens/([^/]+)/' },
      to: { path: '^src/screens/', pathNot: '^src/screens/$1/' },
    },
    {
      name: 'no-circles',
      severity: 'error',
      from: {},
      to: { circular: true, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'nothing-unresolved',
      comment: 'The packages of bench/peer are those of its own lock file, which only its bench installs.',
      severity: 'error',
      from: { pathNot: '^bench/peer/' },
      to: { couldNotResolve: true, pathNot: '^virtual:|\\?url$' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'browser', 'default', 'types'],
      mainFields: ['module', 'main', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.json', '.css'],
    },
  },
}
