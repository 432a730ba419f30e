const UNIT = (...names) => ['--project', 'unit', ...names.map((name) => `tests/unit/${name}.test.ts`)]
const MESSAGES = UNIT('messages')
const ROUTES = ['--project', 'service', 'tests/service/access.test.ts', '-t', 'the table is whole']

const LANGUAGES = ['en', 'zh-Hant', 'zh-Hans']
/** Adds a text to a file of each language. */
function addText(scratch, file, id, texts) {
  for (const [at, language] of LANGUAGES.entries()) {
    const path = `locales/${language}/${file}.json`
    const messages = { ...JSON.parse(scratch.read(path)), [id]: texts[at] }
    scratch.write(path, `${JSON.stringify(messages, null, 2)}\n`)
  }
}

const addScreen = (scratch) => {
  scratch.write(
    'src/screens/race-lists/paddock-screen.tsx',
    `import { FormattedMessage } from 'react-intl'
import { Panel } from '../../ui/panel.tsx'

export function PaddockScreen() {
  return (
    <Panel title={<FormattedMessage id="title.paddock" />}>
      <FormattedMessage id="paddock.empty" tagName="p" />
    </Panel>
  )
}
`,
  )
  scratch.replace(
    'src/data/pages.ts',
    'export const PAGES = [\n',
    `export const PAGES = [
  page('/pages/race/paddock', 'title.paddock', 'race-lists/paddock-screen', { search: true }),
`,
  )
  addText(scratch, 'common', 'title.paddock', ['Paddock', '沙圈', '沙圈'])
  addText(scratch, 'common', 'paddock.empty', ['No horse is here yet.', '暫無馬匹。', '暂无马匹。'])
}

const addCall = (scratch) => {
  scratch.write(
    'contract/api/site.ts',
    `${scratch.read('contract/api/site.ts')}
export const adCount = endpoint('open', 'GET /sys/api/adCount', {
  summary: 'Number of banners',
  result: z.strictObject({ count: z.number().int() }),
})
`,
  )
  scratch.replace('server/routes/site-calls.ts', 'listAds }', 'countAds, listAds }')
  scratch.replace(
    'server/routes/site-calls.ts',
    '  const { database } = context.service\n\n  answer(calls.adlist,',
    `  const { database } = context.service

  answer(calls.adCount, EVERYBODY, async () => ({ count: await countAds(database) }))

  answer(calls.adlist,`,
  )
  scratch.write(
    'server/store/operation/site-store.ts',
    `${scratch.read('server/store/operation/site-store.ts')}
export async function countAds({ rows }: Queries): Promise<number> {
  const [counted] = await rows<{ count: number }>('select count(*)::int as count from ad')
  return counted!.count
}
`,
  )
  scratch.replace(
    'tests/support/access-table.ts',
    '    ...healthRows(OPEN),\n',
    "    ...healthRows(OPEN),\n    { route: 'GET /sys/api/adCount', status: OPEN },\n",
  )
}

const addDimension = (scratch) => {
  scratch.replace(
    'analytics/dimensions.ts',
    "export const RACE_DIMENSIONS = ofLevel('race', {\n",
    `export const RACE_DIMENSIONS = ofLevel('race', {
  quarter: {
    type: 'integer',
    sql: 'quarter(race_date)::TINYINT',
    values: [1, 2, 3, 4],
    display: 'integer',
    order: 'key',
    few: true,
  },
`,
  )
  addText(scratch, 'workspace', 'dimension.quarter', ['Quarter', '季度', '季度'])
  scratch.replace(
    'tests/support/reference-sql.ts',
    "  season: 'p.season',\n",
    "  season: 'p.season',\n  quarter: 'extract(quarter from p.race_date)::int',\n",
  )
}

const addMeasure = (scratch) => {
  scratch.replace(
    'analytics/predictions.ts',
    "  predictions: plain('predictions'),\n",
    "  predictions: plain('predictions'),\n  misses: { sums: ['predictions', 'voids', 'hits'], sql: '{predictions} - {voids} - {hits}', unit: 'count' },\n",
  )
  scratch.replace(
    'tests/support/reference-sql.ts',
    '  hits: HITS,\n',
    "  hits: HITS,\n  misses: `count(*) filter (where p.outcome = 'miss')`,\n",
  )
}

const JAPANESE = {
  path: 'domain/languages.ts',
  row: `  {
    id: 'ja',
    name: '日本語',
    tags: /^ja\\b/i,
    countries: ['JP'],
    names: ['en', 'hant', 'hans'],
    readable: ['hant', 'hans', 'en'],
    hasOwnNames: false,
    calendar: 'ja-JP',
    stripe: 'ja',
    gridTexts: 'AG_GRID_LOCALE_JP',
    notLoaded: 'Furlong を読み込めませんでした。',
  },
`,
}

/** The texts are not translated, only marked: what is tried is where they are. */
const addLanguage = (scratch) => {
  scratch.replace(
    JAPANESE.path,
    '] as const satisfies readonly LanguageRules[]',
    `${JAPANESE.row}] as const satisfies readonly LanguageRules[]`,
  )
  for (const path of scratch.files()) {
    if (path.startsWith('locales/en/')) {
      const messages = Object.entries(JSON.parse(scratch.read(path)))
      const marked = Object.fromEntries(messages.map(([id, text]) => [id, `${text}（仮）`]))
      scratch.write(path.replace('/en/', '/ja/'), `${JSON.stringify(marked, null, 2)}\n`)
    }
    if (/^public\/legal\/.*\.en\.html$/.test(path))
      scratch.write(path.replace('.en.', '.ja.'), scratch.read(path).replace('lang="en"', 'lang="ja"'))
  }
  scratch.run('--import', 'tsx', 'tools/grid-locales.mjs')
}

/**
 * One small addition for each row that is tried. `add` makes it; `tests` are those of its lists, which must pass with
 * it, and with `types` the compiler before the last step; `without` has for each entry of the row the tests of which one must fail when the entry's last file is left out, or
 * `types` if the compiler must complain, or the reason why nothing can.
 */
export const ADDITIONS = [
  {
    row: 'a screen',
    add: addScreen,
    tests: UNIT('messages', 'way-back'),
    without: {
      'src/screens/…/…-screen.tsx': UNIT('way-back'),
      'src/data/pages.ts': UNIT('way-back'),
      'locales/*/common.json': MESSAGES,
    },
  },
  {
    row: 'a dimension',
    add: addDimension,
    tests: UNIT('messages', 'analytics-plan', 'reference-coverage'),
    without: {
      'analytics/dimensions.ts': UNIT('reference-coverage'),
      'locales/*/workspace.json': UNIT('analytics-plan'),
      'tests/support/reference-sql.ts': UNIT('reference-coverage'),
    },
  },
  {
    row: 'a measure',
    add: addMeasure,
    tests: UNIT('analytics-plan', 'reference-coverage'),
    without: {
      'analytics/predictions.ts': UNIT('reference-coverage'),
      'tests/support/reference-sql.ts': UNIT('reference-coverage'),
    },
  },
  {
    row: 'a call',
    add: addCall,
    tests: ROUTES,
    types: true,
    without: {
      'contract/api/….ts': 'types',
      'server/routes/….ts': ROUTES,
      'server/store/…/…-store.ts': 'types',
      'tests/support/access-table.ts': ROUTES,
    },
  },
  {
    row: 'a language',
    id: 'ja',
    like: 'zh-Hant',
    add: addLanguage,
    tests: [
      ...UNIT('messages', 'languages', 'meanings', 'help', 'analytics-plan', 'fields'),
      // The components that are rendered in every language.
      '--project',
      'component',
      'tests/component/account.test.tsx',
      'tests/component/help.test.tsx',
    ],
    without: {
      'domain/languages.ts': UNIT('languages'),
      'locales/<id>/*.json': MESSAGES,
      'public/legal/*.<id>.html': UNIT('languages'),
      'src/i18n/grid-<id>.json': UNIT('languages'),
    },
  },
]
