/** Which package may import which: the packages of the map in ARCHITECTURE.md. */
const room = (name) => `^${name}/`
const rooms = ['domain', 'contract', 'analytics', 'workers', 'src', 'server', 'bench', 'tests', 'tools']
const only = (name, from, allowed) => ({
  name,
  severity: 'error',
  from: { path: from },
  to: { path: rooms.filter((each) => !allowed.includes(each)).map(room) },
})

module.exports = {
  forbidden: [
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
      from: { path: room('contract') },
      to: { dependencyTypes: ['npm', 'core'], pathNot: 'node_modules/zod' },
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
          '^workers/(analytics\\.worker|lab\\.worker|console\\.worker|console/console|own\\.worker|own/own|engine/engine)\\.ts$|^src/data/analytics/(engine|lab|console|own|worker-channel)\\.ts$',
      },
      to: { path: 'node_modules/comlink' },
    },
    {
      name: 'ui-knows-nothing-above',
      severity: 'error',
      from: { path: '^src/ui/' },
      to: { path: '^src/(widgets|features|workspace|screens|app|data)/' },
    },
    {
      name: 'widgets-know-no-racing',
      severity: 'error',
      from: { path: '^src/widgets/' },
      to: { path: '^src/(features|workspace|screens|app|data)/' },
    },
    {
      name: 'features-below-screens',
      severity: 'error',
      from: { path: '^src/features/' },
      to: { path: '^src/(workspace|screens|app)/' },
    },
    {
      name: 'workspace-below-screens',
      severity: 'error',
      from: { path: '^src/workspace/' },
      to: { path: '^src/(screens|app)/' },
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
      name: 'screens-below-app',
      severity: 'error',
      from: { path: '^src/screens/' },
      to: { path: '^src/app/' },
    },
    {
      name: 'data-and-words-below-features',
      severity: 'error',
      from: { path: '^src/(data|i18n)/' },
      to: { path: '^src/(ui|widgets|features|screens|app)/' },
    },
    {
      name: 'no-circles',
      severity: 'error',
      from: {},
      to: { circular: true, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'nothing-unresolved',
      severity: 'error',
      from: {},
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
