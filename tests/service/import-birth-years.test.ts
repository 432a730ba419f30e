// @module-tag rest
import { expect, test } from 'vitest'
import { FEED_BODIES } from '../../contract/api/feed.ts'
import { takeBatch } from '../../server/ingest/feed.ts'
import { BETFAIR_SP_FORMAT } from '../../server/ingest/gb/betfair-sp-format.ts'
import { RPSCRAPE_FORMAT } from '../../server/ingest/gb/rpscrape-format.ts'
import { NETKEIBA_FORMAT } from '../../server/ingest/jp/netkeiba-format.ts'
import { undoImport } from '../../server/ingest/undo-import.ts'
import { BRIS_FORMAT } from '../../server/ingest/us/bris-format.ts'
import { listHorses } from '../../server/store/racing/race-store.ts'
import { brisFiles, brisRace, brisRunner, brisWinner } from '../support/bris-files.ts'
import type { TestDatabase } from '../support/databases.ts'
import { cardOf } from '../support/feed-day.ts'
import { changesOf, csv, importAs, storedRows, withDatabase } from '../support/import-files.ts'
import { statementsOf } from '../support/migrations.ts'
import { PRESENT, row, type Runner } from '../support/rpscrape-files.ts'

const SETTLE = { kind: 'settle', payload: { verify: true } } as const
const LAW = { horse: 'Canon Law (IRE)' }

/** A race at York in the layout of `rpscrape`, with a second horse of the day. */
const scraped = (date: string, ...horses: Runner[]): Record<string, string> => ({
  [`results-${date}.csv`]: csv(
    PRESENT,
    ...[...horses, { horse: `Lead Urn ${date.replaceAll('-', '')} (GB)` }].map((horse, at) =>
      row(
        { date, ran: horses.length + 1 },
        { no: String(at + 1), behind: String(at), time: `1:${date.slice(-2)}.91`, ...horse },
      ),
    ),
  ),
})

const horsesOf = ({ database }: TestDatabase, name = 'Canon'): Promise<string[]> =>
  database
    .rows<{ shown: string }>(
      `select horse.id || ' ' || coalesce(birth_year::text, '-') || ' ' || coalesce(dam, '-') || ' ' || race_date || ' '
         || coalesce(source_brand, '-') as shown
       from runner join horse on horse.id = horse_id join race on race.id = race_id where horse.name_en ilike $1
       order by race_date, horse.id`,
      [`${name}%`],
    )
    .then((rows) => rows.map(({ shown }) => shown))

const told = (rows: readonly { kind: string; detail: string }[]): string[] =>
  rows.map(({ kind, detail }) => `${kind} ${detail}`)

const FIRST = scraped('2015-04-27', { ...LAW, age: '5', dam: 'Delisha GB' })
const SECOND = scraped('2025-05-23', { ...LAW, age: '2', sex: 'C', dam: 'Oh Sedulous (IRE)' })
const TWO_LAWS = [
  'GB-CanonLawIRE 2010 Delisha (GB) 2015-04-27 -',
  'GB-CanonLawIRE-2 2023 Oh Sedulous (IRE) 2025-05-23 -',
]

test.each([
  { how: 'in two imports', imports: [FIRST, SECOND] },
  { how: 'in one import', imports: [{ ...FIRST, ...SECOND }] },
  {
    how: 'in one file',
    imports: [
      {
        'all.csv': `${FIRST['results-2015-04-27.csv']}${SECOND['results-2025-05-23.csv']!.split('\n').slice(1).join('\n')}`,
      },
    ],
  },
])('a name that is given again is that of another horse: $how', ({ imports }) =>
  withDatabase(async (place) => {
    const reports = []
    for (const files of imports) reports.push(await importAs(place, RPSCRAPE_FORMAT, files))
    expect(await horsesOf(place)).toEqual(TWO_LAWS)
    expect(reports.flatMap(({ leftApart }) => told(leftApart))).toEqual([
      'born-in-another-year GBYRK2025052301 CanonLawIRE Canon Law (IRE), born in 2023: CanonLawIRE Canon Law (IRE) in 2010',
    ])
    const listed = await listHorses(
      place.database,
      { regionId: null, text: 'canon law', limit: 9, offset: 0 },
      'en',
    )
    expect(listed.records.map(({ id, birthYear }) => `${id} ${birthYear}`).toSorted()).toEqual([
      'GB-CanonLawIRE 2010',
      'GB-CanonLawIRE-2 2023',
    ])
    const before = await storedRows(place)
    for (const files of imports) {
      const again = await importAs(place, RPSCRAPE_FORMAT, files)
      expect([changesOf(again), again.leftApart, again.merged, again.differing]).toEqual([0, [], [], []])
    }
    expect(await storedRows(place)).toEqual(before)
    // A year later the colt is a gelding.
    await importAs(
      place,
      RPSCRAPE_FORMAT,
      scraped('2026-05-23', { ...LAW, age: '3', dam: 'Oh Sedulous (IRE)' }),
    )
    expect(await horsesOf(place)).toEqual([
      ...TWO_LAWS,
      'GB-CanonLawIRE-2 2023 Oh Sedulous (IRE) 2026-05-23 -',
    ])
  }),
)

test('an undo takes back the second horse, and a horse’s year of birth', () =>
  withDatabase(async (place) => {
    await importAs(place, RPSCRAPE_FORMAT, FIRST)
    await place.database.rows('update horse set birth_year = null returning id')
    const before = await storedRows(place)
    const again = await importAs(place, RPSCRAPE_FORMAT, { ...FIRST, ...SECOND })
    expect(await horsesOf(place)).toEqual(TWO_LAWS)
    await undoImport(place.database, again.number!, SETTLE)
    expect(await storedRows(place)).toEqual(before)
  }))

/** Does what the build of years of birth does to the horses that are stored when it comes. */
const takeYears = ({ database }: TestDatabase): Promise<void> =>
  database.transaction(async (queries) => {
    await queries.rows('update horse set birth_year = null returning id')
    const statements = statementsOf('035-birth-years.sql').filter((each) => !each.startsWith('alter table'))
    for (const statement of statements) await queries.rows(statement)
  })

test('a horse that was stored as one before years of birth were known is two once its files are imported again', () =>
  withDatabase(async (place) => {
    await importAs(place, RPSCRAPE_FORMAT, { ...FIRST, ...SECOND })
    await place.database.rows(
      `update horse set dam = 'Oh Sedulous (IRE)' where name_en like 'Canon%' returning id`,
    )
    await place.database.rows(
      `update runner set horse_id = 'GB-CanonLawIRE' where horse_id like 'GB-CanonLaw%' returning horse_id`,
    )
    await takeYears(place)
    await importAs(place, RPSCRAPE_FORMAT, { ...FIRST, ...SECOND })
    expect(await horsesOf(place)).toEqual(TWO_LAWS)
    expect(changesOf(await importAs(place, RPSCRAPE_FORMAT, { ...FIRST, ...SECOND }))).toBe(0)
  }))

test('a new build takes the years of birth from the runners that are stored', () =>
  withDatabase(async (place) => {
    const files = { ...FIRST, ...scraped('2025-05-24', { horse: 'Canon Law (AUS)', age: '6' }) }
    await importAs(place, RPSCRAPE_FORMAT, files)
    const years = () => place.database.rows('select id, birth_year, dam from horse order by id')
    const before = await years()
    await takeYears(place)
    expect(await years()).toEqual(before)
    expect(before).toContainEqual({ id: 'GB-CanonLawIRE', birthYear: 2010, dam: 'Delisha (GB)' })
    expect(before).toContainEqual(expect.objectContaining({ id: 'GB-CanonLawAUS', birthYear: null }))
  }))

test.each([
  {
    why: 'one year of birth, though years lie between',
    runner: { horse: 'Canonlaw (IRE)', age: '9', dam: 'Delisha GB' },
    date: '2019-04-29',
    merged: [
      'horse GBYRK2019042901 CanonlawIRE Canonlaw (IRE): CanonLawIRE Canon Law (IRE), both born in 2010',
    ],
    apart: [],
  },
  {
    why: 'another year of birth',
    runner: { horse: 'Canonlaw (IRE)', age: '8', dam: 'Delisha GB' },
    date: '2016-04-29',
    merged: [],
    apart: [
      'born-in-another-year GBYRK2016042901 CanonlawIRE Canonlaw (IRE), born in 2008: CanonLawIRE Canon Law (IRE) in 2010',
    ],
  },
  {
    why: 'another dam',
    runner: { horse: 'Canonlaw (IRE)', age: '6', dam: 'Another Mare' },
    date: '2016-04-29',
    merged: [],
    apart: ['other-parents GBYRK2016042901 CanonlawIRE Canonlaw (IRE): CanonLawIRE Canon Law (IRE)'],
  },
  {
    why: 'the other sex',
    runner: { horse: 'Canonlaw (IRE)', age: '6', sex: 'M', dam: 'Delisha GB' },
    date: '2016-04-29',
    merged: [],
    apart: ['other-sex GBYRK2016042901 CanonlawIRE Canonlaw (IRE): CanonLawIRE Canon Law (IRE)'],
  },
])('a name in another spelling: $why', ({ runner, date, merged, apart }) =>
  withDatabase(async (place) => {
    await importAs(place, RPSCRAPE_FORMAT, FIRST)
    const report = await importAs(place, RPSCRAPE_FORMAT, scraped(date, runner))
    expect([told(report.merged), told(report.leftApart)]).toEqual([merged, apart])
    expect((await horsesOf(place)).at(-1)!.startsWith('GB-CanonLawIRE ')).toBe(merged.length === 1)
  }),
)

test('a horse from the other hemisphere, whose birthday nobody knows, stays one horse', () =>
  withDatabase(async (place) => {
    for (const [date, age] of [
      ['2024-06-05', '6'],
      ['2024-09-05', '7'],
    ] as const)
      await importAs(place, RPSCRAPE_FORMAT, scraped(date, { horse: 'Canon Law (AUS)', age }))
    expect((await horsesOf(place)).map((each) => each.split(' ')[0])).toEqual([
      'GB-CanonLawAUS',
      'GB-CanonLawAUS',
    ])
  }))

test('a row without an age is of the first horse of the name, which is told', () =>
  withDatabase(async (place) => {
    await importAs(place, RPSCRAPE_FORMAT, { ...FIRST, ...SECOND })
    const files = scraped('2025-06-05', { ...LAW, age: '', dam: '' })
    const report = await importAs(place, RPSCRAPE_FORMAT, files)
    expect(told(report.merged)).toEqual([
      'first-of-this-name GBYRK2025060501 CanonLawIRE Canon Law (IRE): its age is not known',
    ])
    const again = await importAs(place, RPSCRAPE_FORMAT, files)
    expect([changesOf(again), again.merged]).toEqual([0, []])
  }))

test('a source without ages leaves a horse apart if two have its name', () =>
  withDatabase(async (place) => {
    await importAs(place, RPSCRAPE_FORMAT, { ...FIRST, ...SECOND })
    const report = await importAs(place, BETFAIR_SP_FORMAT, {
      'uk-12.csv': csv(
        'EVENT_ID,MENU_HINT,EVENT_NAME,EVENT_DT,SELECTION_ID,SELECTION_NAME,WIN_LOSE,BSP',
        '501,GB / York 12th Jun,6f Hcap,12-06-2025 14:00,7001,Canon Law,1,3',
        '501,GB / York 12th Jun,6f Hcap,12-06-2025 14:00,7002,Pan,0,4',
      ),
    })
    expect([report.merged, report.leftApart.map(({ kind }) => kind)]).toEqual([[], ['several-of-this-name']])
  }))

const brisDay = (date: string, born: number): Record<string, Buffer> => {
  const at = { 2: date, 5: 'Canon Law' }
  return brisFiles(
    {
      1: [brisRace({ 2: date, 37: 2 })],
      2: [brisRunner(1, '1', { ...at, 10: born }), brisRunner(2, '2', { 2: date, 10: born })],
      5: [brisWinner(1, { ...at, 15: `Dam of ${born}` })],
    },
    `BEL${date.slice(4)}${date.slice(0, 4)}`,
  )
}

test.each([true, false])(
  'BRIS tells the year of birth, and by it whose breeding that of a winner is; in one import: %s',
  (isOneImport) =>
    withDatabase(async (place) => {
      const days = [brisDay('20180929', 2015), brisDay('20240930', 2021)] as const
      for (const files of isOneImport ? [{ ...days[0], ...days[1] }] : days)
        await importAs(place, BRIS_FORMAT, files)
      const [first, second] = await horsesOf(place)
      const id = /^(US-\S+) 2015 Dam of 2015 2018-09-29 -$/.exec(first!)?.[1]
      expect(second).toBe(`${id}-2 2021 Dam of 2021 2024-09-30 -`)
      for (const day of days) expect(changesOf(await importAs(place, BRIS_FORMAT, day))).toBe(0)
      // Without the results of the day nobody knows which of the two won.
      const [[name, winner]] = Object.entries(days[1]).filter(([each]) => each.endsWith('.5')) as [
        [string, Buffer],
      ]
      const alone = await importAs(place, BRIS_FORMAT, { [name]: winner })
      expect([told(alone.rejects), changesOf(alone)]).toEqual([
        [
          'whose-profile CANON LAW Canon Law: several horses have the name, and its year of birth is not known',
        ],
        0,
      ])
    }),
)

const japanese = (id: string, day: string, horseId: string, age: string): Record<string, string> => ({
  [`results-${day}.csv`]: csv(
    ',着順,枠番,馬番,馬名,性齢,斤量,騎手,タイム,着差,単勝,人気,馬体重,調教師,course_len,weather,race_type,ground_state,date,class,horse_id,jockey_id,通過,上り',
    ...[1, 2].map(
      (no) =>
        `${id},${no},${no},${no},${no === 1 ? '試験馬' : `他馬${day}`},牡${age},57,試験,1:3${no}.${day.slice(-1)},${no === 1 ? '' : '2'},${no}.5,${no},480(+2),[東] 試験,1600,晴,芝,良,${day},3歳未勝利,${no === 1 ? horseId : ''},0,${no},34.0`,
    ),
  ),
})

test.each([
  { what: 'without ids, they are two horses', ids: ['', ''], ids2: 2 },
  {
    what: 'with one id, they are one horse, whatever age a row has',
    ids: ['2010109901', '2010109901'],
    ids2: 1,
  },
])('netkeiba has one name with two years of birth: $what', ({ ids, ids2 }) =>
  withDatabase(async (place) => {
    const files = {
      ...japanese('201505020101', '2015-04-25', ids[0]!, '5'),
      ...japanese('202505020101', '2025-04-26', ids[1]!, '3'),
    }
    await importAs(place, NETKEIBA_FORMAT, files)
    const [count] = await place.database.rows<{ n: number }>(
      `select count(*)::int as n from horse where name_hant = '試験馬'`,
    )
    expect(count).toEqual({ n: ids2 })
    expect(changesOf(await importAs(place, NETKEIBA_FORMAT, files))).toBe(0)
  }),
)

const card = (id: string, age: number | null) =>
  FEED_BODIES.cards.parse({
    races: [
      {
        ...cardOf('2026-06-01', 1),
        raceId: 'GBYRK2026060101',
        startsAt: '2026-06-01T13:00:00Z',
        course: null,
        runners: cardOf('2026-06-01', 1).runners.map((runner) =>
          runner.horseNo === 1
            ? { ...runner, brand: id, horse: { en: 'Canon Law (IRE)', hant: null, hans: null }, age }
            : runner,
        ),
      },
    ],
  })

test('a card that is repeated without ages keeps the horse that its ages told', () =>
  withDatabase(async (place) => {
    await importAs(place, RPSCRAPE_FORMAT, { ...FIRST, ...SECOND })
    const now = new Date('2026-05-31T12:00:00Z')
    const take = (key: string, age: number | null) =>
      takeBatch(place.database, { source: 'test', key, kind: 'cards', body: card('CanonLawIRE', age) }, now)
    const second = 'GB-CanonLawIRE-2 2023 Oh Sedulous (IRE) 2026-06-01 -'
    await take('with', 3)
    expect((await horsesOf(place)).at(-1)).toBe(second)
    expect((await take('without', null)).tables['runner']).toMatchObject({ inserted: 0, updated: 0 })
    expect((await horsesOf(place)).at(-1)).toBe(second)
  }))
