/** Browser tests that open every screen. */
const SCREENS = ['routes', 'adapt', 'frame']
/** Browser tests of the record's own panels. */
const RECORD = [
  'charts',
  'digest',
  'drill',
  'export',
  'follow',
  'further-questions',
  'gone',
  'hands',
  'home',
  'journeys',
  'keyboard',
  'layout',
  'list',
  'locks',
  'models',
  'more-questions',
  'notes',
  'outsiders',
  'pictures',
  'pivot',
  'planned-questions',
  'questions',
  'runner-questions',
  'totals',
  'views',
  'vip',
  'workspace',
]
const CONSOLE = ['console', 'console-documents', 'console-limits']
const LAB = ['lab', 'lab-chances', 'frozen', 'further-questions']
const OWN = ['own', 'own-columns', 'own-problems', 'further-questions']
const ENGINE = ['engine', 'engine-files', 'engine-reports', 'gone']
const ACCOUNT = ['accounts', 'alerts', 'clock', 'device', 'digest', 'flows', 'shifts', 'vip']
const PROVIDER = ['accounts', 'clock', 'flows', 'shifts']
const RACE = [
  'alive',
  'drill',
  'flows',
  'gestures',
  'hands',
  'live',
  'locks',
  'market',
  'notes',
  'pictures',
  'racecard',
  'results',
]
const HORSE = ['drill', 'hands', 'more-questions', 'notes', 'palette']

/**
 * For a folder, the files in `tests/browser` (without `.spec.ts`) that can find a fault in it. A file belongs to the
 * longest folder that it is in; a file in none can break everything.
 */
export const SPECS_OF = {
  'src/features/account': [...SCREENS, ...ACCOUNT],
  'src/features/alerts': [...SCREENS, 'alerts', 'digest'],
  'src/features/chances': [...SCREENS, 'results', 'lab-chances', 'own'],
  'src/features/dataset': [...SCREENS, ...ENGINE, ...RECORD],
  'src/features/head-to-head': [...SCREENS, 'palette'],
  'src/features/home': [...SCREENS, 'home', 'hands', 'flows', 'locks', 'shifts', 'alive'],
  'src/features/horse': [...SCREENS, ...HORSE],
  'src/features/location': SCREENS,
  'src/features/lock': [...SCREENS, 'locks'],
  'src/features/market': [...SCREENS, ...RACE],
  'src/features/media': [...SCREENS, ...ACCOUNT],
  'src/features/membership': [...SCREENS, ...ACCOUNT],
  'src/features/model': [...SCREENS, 'help', 'home'],
  'src/features/notes': [...SCREENS, 'notes', 'help'],
  'src/features/pace': [...SCREENS, ...RACE, ...HORSE],
  'src/features/palette': [...SCREENS, 'palette', 'keyboard'],
  'src/features/promotion': [...SCREENS, ...PROVIDER],
  'src/features/race': [...SCREENS, ...RACE],
  'src/features/races': [...SCREENS, ...RACE],
  'src/features/report': [...SCREENS, 'hands', 'drill'],
  'src/features/results': [...SCREENS, 'results', 'flows'],
  'src/features/share': [...SCREENS, 'accounts', 'flows', 'vip', 'outsiders'],
  'src/features/stable': [...SCREENS, 'follow'],
  'src/features/subscription': [...SCREENS, 'flows', 'workspace', 'racecard', 'export'],
  'src/features/tips': [...SCREENS, 'device', 'hands', 'flows', 'home', 'shifts'],
  'src/screens/account': [...SCREENS, ...ACCOUNT],
  'src/screens/common': [...SCREENS, ...ACCOUNT],
  'src/screens/head-to-head': [...SCREENS, 'palette'],
  'src/screens/help': [...SCREENS, 'help'],
  'src/screens/home': [...SCREENS, 'home', 'hands', 'flows', 'journeys', 'first-start', 'shifts', 'alive'],
  'src/screens/horse-detail': [...SCREENS, ...HORSE],
  'src/screens/horse-race': [...SCREENS, ...RACE],
  'src/screens/membership': [...SCREENS, ...ACCOUNT],
  'src/screens/model-card': [...SCREENS, 'help', 'home'],
  'src/screens/not-found': [...SCREENS, 'journeys'],
  'src/screens/notebook': [...SCREENS, 'notes', 'help'],
  'src/screens/promotion': [...SCREENS, ...PROVIDER],
  'src/screens/race-home': [...SCREENS, 'device', 'hands', 'flows', 'home', 'help', 'shifts'],
  'src/screens/race-lists': [...SCREENS, 'results', 'flows'],
  'src/screens/report-view': [...SCREENS, 'hands', 'drill'],
  'src/screens/sharing': [...SCREENS, ...PROVIDER],
  'src/screens/stable': [...SCREENS, 'follow'],
  'src/screens/win-loss-record': [...SCREENS, ...RECORD, ...CONSOLE, ...LAB, ...OWN, 'help'],
  'src/storage': [...SCREENS, 'storage', 'device', 'flows', 'console', 'own', 'lab-chances'],
  'src/workspace': [...SCREENS, ...RECORD, ...CONSOLE, ...LAB, ...OWN, 'help'],
  'src/workspace/compare': [...SCREENS, ...RECORD],
  'src/workspace/console': [...SCREENS, ...CONSOLE],
  'src/workspace/lab': [...SCREENS, ...LAB],
  'src/workspace/list': [...SCREENS, ...RECORD],
  'src/workspace/own': [...SCREENS, ...OWN],
  'src/workspace/panels': [...SCREENS, ...RECORD],
  'src/workspace/saved': [...SCREENS, ...RECORD],
  'workers/console': CONSOLE,
  'workers/lab': LAB,
  'workers/own': OWN,
}

/** What `npm start` and the tests are made of: a change of it can break every page. */
export const EVERYTHING = [
  'analytics',
  'contract',
  'domain',
  'server',
  'locales',
  'public',
  'src/app',
  'src/data',
  'src/i18n',
  'src/ui',
  'src/widgets',
  'workers/channel',
  'workers/engine',
  'src/features/region',
  'src/features/session',
  'src/features/update',
]

/** No page is made of these. */
export const NOTHING = [
  '.ci',
  '.github',
  'bench',
  'docs',
  'tests/build',
  'tests/component',
  'tests/service',
  'tests/soak',
  'tests/sql',
  'tests/unit',
]

const SPEC = /^tests\/browser\/([a-z0-9-]+)\.spec\.ts$/
const isIn = (path, folder) => path.startsWith(`${folder}/`)

/**
 * The browser tests, without `.spec.ts`, that can find a fault in the changed files, whose paths are relative to the
 * root; `'all'` if a file can break everything.
 */
export function specsFor(paths) {
  const specs = new Set()
  for (const path of paths) {
    const [, spec] = SPEC.exec(path) ?? []
    const [folder] = Object.keys(SPECS_OF)
      .filter((each) => isIn(path, each))
      .toSorted((a, b) => b.length - a.length)
    if (spec !== undefined) specs.add(spec)
    else if (folder !== undefined) for (const each of SPECS_OF[folder]) specs.add(each)
    else if (!path.endsWith('.md') && !NOTHING.some((each) => isIn(path, each))) return 'all'
  }
  return [...specs].toSorted()
}
