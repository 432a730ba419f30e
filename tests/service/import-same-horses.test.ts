// @module-tag rest
import { expect, test } from 'vitest'
import { reportLines } from '../../server/drafts/report.ts'
import { BETFAIR_SP_FORMAT } from '../../server/ingest/gb/betfair-sp-format.ts'
import { RPSCRAPE_FORMAT } from '../../server/ingest/gb/rpscrape-format.ts'
import { undoImport } from '../../server/ingest/undo-import.ts'
import type { TestDatabase } from '../support/databases.ts'
import { changesOf, csv, importAs, rejectLines, storedRows, withDatabase } from '../support/import-files.ts'
import { PRESENT, row } from '../support/rpscrape-files.ts'

const HEADER = 'EVENT_ID,MENU_HINT,EVENT_NAME,EVENT_DT,SELECTION_ID,SELECTION_NAME,WIN_LOSE,BSP'
const SETTLE = { kind: 'settle', payload: { verify: true } } as const

/** A day of June 2024 in Betfair’s files: the horses of one race by their numbers, of which the first won. */
const betfair = (day: string, horses: Readonly<Record<number, string>>): Record<string, string> => ({
  [`uk-${day}.csv`]: csv(
    HEADER,
    ...Object.entries(horses).map(
      ([number, name], at) =>
        `501,GB / York ${Number(day)}th Jun,6f Hcap,${day}-06-2024 14:00,${number},${name},${at === 0 ? 1 : 0},${3 + at}`,
    ),
  ),
})

/** A day in the layout of `rpscrape`. */
const scraped = (date: string, ...horses: string[]): Record<string, string> => ({
  [`results-${date}.csv`]: csv(
    PRESENT,
    ...horses.map((horse, at) =>
      row(
        { date, ran: horses.length },
        { no: String(at + 1), horse, behind: String(at), time: `1:${date.slice(-2)}.91` },
      ),
    ),
  ),
})

/** A race at Ascot in the same layout. */
const atAscot = (date: string): Record<string, string> => ({
  'ascot.csv': csv(
    PRESENT,
    ...['Brass Jug (GB)', 'Tin Cup (GB)'].map((horse, at) =>
      row({ date, course: 'Ascot', ran: 2 }, { no: String(at + 1), horse, behind: String(at) }),
    ),
  ),
})

const runsOf = (place: TestDatabase): Promise<string[]> =>
  place.database
    .rows<{ shown: string }>(
      `select race_date || ' ' || brand || ' ' || coalesce(source_brand, '-') as shown
       from runner join horse on horse.id = horse_id join race on race.id = race_id order by 1`,
    )
    .then((rows) => rows.map(({ shown }) => shown))

test('horses of one region are the same in two sources, by name, and a second import changes nothing', () =>
  withDatabase(async (place) => {
    await importAs(place, RPSCRAPE_FORMAT, scraped('2024-06-05', "Tinker's Pan (IRE)", 'Brass Jug (GB)'))
    const later = betfair('12', { 7001: 'Tinkers Pan', 7002: 'Copper Kettle' })
    const report = await importAs(place, BETFAIR_SP_FORMAT, later)
    expect(report.merged).toEqual([
      {
        kind: 'horse',
        file: 'uk-12.csv',
        line: 2,
        detail: "GBYRK2024061201 7001 Tinkers Pan: TinkersPanIRE Tinker's Pan (IRE)",
      },
    ])
    expect([report.leftApart, report.tables['horse']]).toEqual([[], expect.objectContaining({ inserted: 1 })])
    expect(reportLines(report).join('\n')).toContain('the same as a stored: 1 × horse')
    const runs = [
      '2024-06-05 BrassJugGB -',
      '2024-06-05 TinkersPanIRE -',
      '2024-06-12 7002 -',
      '2024-06-12 TinkersPanIRE 7001',
    ]
    expect(await runsOf(place)).toEqual(runs)
    // The name of the first source stays.
    expect(
      await place.database.rows('select name_en from horse where brand = $1', ['TinkersPanIRE']),
    ).toEqual([{ nameEn: "Tinker's Pan (IRE)" }])
    const before = await storedRows(place)
    const again = await importAs(place, BETFAIR_SP_FORMAT, later)
    expect([changesOf(again), again.rejects, again.merged]).toEqual([0, [], []])
    expect(await storedRows(place)).toEqual(before)
    // A later day knows the horse by its number, whatever it is called there.
    const third = await importAs(
      place,
      BETFAIR_SP_FORMAT,
      betfair('19', { 7001: 'Tinkers Pan', 7009: 'Lead Urn' }),
    )
    expect([third.merged, third.leftApart]).toEqual([[], []])
    expect(await runsOf(place)).toEqual([...runs, '2024-06-19 7009 -', '2024-06-19 TinkersPanIRE 7001'])
  }))

test('a race that is stored already gives its horses their breeding', () =>
  withDatabase(async (place) => {
    const files = scraped('2024-06-12', "Tinker's Pan (IRE)", 'Brass Jug (GB)')
    await importAs(place, RPSCRAPE_FORMAT, files)
    await place.database.rows('update horse set sire = null, dam = null, dam_sire = null returning id')
    const report = await importAs(place, RPSCRAPE_FORMAT, files)
    expect([report.rejects, report.differing]).toEqual([[], []])
    expect(await place.database.rows('select distinct sire, dam, dam_sire from horse')).toEqual([
      { sire: 'Some Sire (IRE)', dam: 'Some Dam (GB)', damSire: 'Another' },
    ])
  }))

test('what a file tells of the breeding of a horse is kept with the horse that it is', () =>
  withDatabase(async (place) => {
    await importAs(place, BETFAIR_SP_FORMAT, betfair('05', { 7001: 'Tinkers Pan', 7002: 'Copper Kettle' }))
    const later = scraped('2024-06-12', "Tinker's Pan (IRE)", 'Brass Jug (GB)')
    const first = await importAs(place, RPSCRAPE_FORMAT, later)
    expect(first.merged).toHaveLength(1)
    expect(
      await place.database.rows('select name_en as name, sire, dam, dam_sire from horse order by name_en'),
    ).toEqual([
      { name: 'Brass Jug (GB)', sire: 'Some Sire (IRE)', dam: 'Some Dam (GB)', damSire: 'Another' },
      { name: 'Copper Kettle', sire: null, dam: null, damSire: null },
      { name: 'Tinkers Pan', sire: 'Some Sire (IRE)', dam: 'Some Dam (GB)', damSire: 'Another' },
    ])
    expect(changesOf(await importAs(place, RPSCRAPE_FORMAT, later))).toBe(0)
  }))

test('and the other way round, and one name in two spellings, also within one import', () =>
  withDatabase(async (place) => {
    await importAs(place, BETFAIR_SP_FORMAT, betfair('05', { 7001: 'Tinkers Pan', 7002: 'Copper Kettle' }))
    const report = await importAs(place, RPSCRAPE_FORMAT, {
      ...scraped('2024-06-12', "Tinker's Pan (IRE)", 'Brass Jug (GB)'),
      ...scraped('2024-06-19', "Tinker's Pan (IRE)", 'Brassjug (GB)'),
    })
    expect(report.merged.map(({ detail }) => detail)).toEqual([
      "GBYRK2024061201 TinkersPanIRE Tinker's Pan (IRE): 7001 Tinkers Pan",
      'GBYRK2024061901 BrassjugGB Brassjug (GB): BrassJugGB Brass Jug (GB), both born in 2020',
    ])
    expect(await runsOf(place)).toEqual([
      '2024-06-05 7001 -',
      '2024-06-05 7002 -',
      '2024-06-12 7001 TinkersPanIRE',
      '2024-06-12 BrassJugGB -',
      '2024-06-19 7001 TinkersPanIRE',
      '2024-06-19 BrassJugGB BrassjugGB',
    ])
  }))

test.each([
  {
    why: 'two stored horses have the name',
    stored: [scraped('2024-06-05', 'Brass Jug (GB)', 'Brass Jug (IRE)')],
    file: betfair('12', { 7001: 'Brass Jug', 7002: 'Tin Cup' }),
    apart: [
      'several-of-this-name GBYRK2024061201 7001 Brass Jug: BrassJugGB Brass Jug (GB), BrassJugIRE Brass Jug (IRE)',
    ],
  },
  {
    why: 'two numbers of the file have the name',
    stored: [scraped('2024-06-05', 'Brass Jug (GB)', 'Tin Cup (GB)')],
    file: betfair('12', { 7001: 'Brass Jug', 7002: 'Brass Jug' }),
    apart: [
      'several-of-this-name GBYRK2024061201 7001 Brass Jug: BrassJugGB Brass Jug (GB)',
      'several-of-this-name GBYRK2024061201 7002 Brass Jug: BrassJugGB Brass Jug (GB)',
    ],
  },
  {
    why: 'the source already has another number for the stored horse',
    stored: [
      scraped('2024-06-05', 'Brass Jug (GB)', 'Lead Urn (GB)'),
      betfair('06', { 7001: 'Brass Jug', 7002: 'Tin Cup' }),
    ],
    file: betfair('12', { 7009: 'Brass Jug', 7002: 'Tin Cup' }),
    apart: ['several-of-this-name GBYRK2024061201 7009 Brass Jug: BrassJugGB Brass Jug (GB)'],
  },
  {
    why: 'the stored horse ran years before',
    stored: [scraped('2020-06-05', 'Brass Jug (GB)', 'Lead Urn (GB)')],
    file: betfair('12', { 7001: 'Brass Jug', 7002: 'Tin Cup' }),
    apart: ['years-apart GBYRK2024061201 7001 Brass Jug: BrassJugGB Brass Jug (GB)'],
  },
])('a horse in doubt stays one of its own, and is told: $why', ({ stored, file, apart }) =>
  withDatabase(async (place) => {
    for (const files of stored)
      await importAs(place, 'uk-06.csv' in files ? BETFAIR_SP_FORMAT : RPSCRAPE_FORMAT, files)
    const report = await importAs(place, BETFAIR_SP_FORMAT, file)
    expect(report.merged).toEqual([])
    expect(report.leftApart.map(({ kind, detail }) => `${kind} ${detail}`)).toEqual(apart)
    const runs = await runsOf(place)
    for (const each of apart) expect(runs).toContain(`2024-06-12 ${each.split(' ')[2]} -`)
  }),
)

test('a horse that ran elsewhere on the day is another one', () =>
  withDatabase(async (place) => {
    await importAs(place, RPSCRAPE_FORMAT, atAscot('2024-06-12'))
    const report = await importAs(place, BETFAIR_SP_FORMAT, betfair('12', { 7001: 'Brass Jug', 7002: 'Pan' }))
    expect([report.merged, report.leftApart.map(({ kind }) => kind)]).toEqual([[], ['ran-on-the-same-day']])
  }))

test('a name with a country is not that of the stored horse of another one, though a number has both', () =>
  withDatabase(async (place) => {
    await importAs(place, BETFAIR_SP_FORMAT, betfair('05', { 7001: 'Tinkers Pan', 7002: 'Copper Kettle' }))
    const files = {
      ...scraped('2024-06-12', 'Tinkers Pan (IRE)', 'Brass Jug (GB)'),
      ...scraped('2024-06-19', 'Tinkers Pan (GB)', 'Brass Jug (GB)'),
    }
    const report = await importAs(place, RPSCRAPE_FORMAT, files)
    expect(report.merged.map(({ detail }) => detail)).toEqual([
      'GBYRK2024061201 TinkersPanIRE Tinkers Pan (IRE): 7001 Tinkers Pan',
    ])
    expect(report.leftApart.map(({ kind, detail }) => `${kind} ${detail}`)).toEqual([
      'several-of-this-name GBYRK2024061901 TinkersPanGB Tinkers Pan (GB): 7001 Tinkers Pan',
    ])
  }))

test('a file that names the stored horse means another one by another name', () =>
  withDatabase(async (place) => {
    await importAs(place, RPSCRAPE_FORMAT, scraped('2024-06-05', 'Brass Jug (GB)', 'Tin Cup (GB)'))
    const report = await importAs(
      place,
      RPSCRAPE_FORMAT,
      scraped('2024-06-12', 'Brass Jug (GB)', 'Brassjug (GB)', 'Lead Urn (GB)'),
    )
    expect([report.merged, report.leftApart.map(({ kind }) => kind)]).toEqual([[], ['several-of-this-name']])
    expect(await runsOf(place)).toContain('2024-06-12 BrassjugGB -')
  }))

test('a number that was left apart leaves apart the next one of the name', () =>
  withDatabase(async (place) => {
    await importAs(place, RPSCRAPE_FORMAT, scraped('2020-06-05', 'Brass Jug (GB)', 'Tin Cup (GB)'))
    const days = [
      betfair('12', { 7001: 'Brass Jug', 7008: 'Pan' }),
      betfair('13', { 7002: 'Brass Jug', 7008: 'Pan' }),
    ]
    const [first, second] = [
      await importAs(place, BETFAIR_SP_FORMAT, days[0]!),
      await importAs(place, BETFAIR_SP_FORMAT, days[1]!),
    ]
    expect([first, second].map(({ leftApart }) => leftApart.map(({ kind }) => kind))).toEqual([
      ['years-apart'],
      ['several-of-this-name'],
    ])
  }))

test('a horse with two names that ran elsewhere on a later day is told', () =>
  withDatabase(async (place) => {
    await importAs(place, RPSCRAPE_FORMAT, scraped('2024-06-05', 'Brass Jug (GB)', 'Tin Cup (GB)'))
    await importAs(place, BETFAIR_SP_FORMAT, betfair('12', { 7001: 'Brass Jug', 7002: 'Pan' }))
    await importAs(place, RPSCRAPE_FORMAT, atAscot('2024-06-19'))
    const report = await importAs(place, BETFAIR_SP_FORMAT, betfair('19', { 7001: 'Brass Jug', 7002: 'Pan' }))
    expect(report.noted.map(({ kind, detail }) => `${kind} ${detail}`)).toEqual([
      'horse-ran-twice-on-a-day GBYRK2024061901 BrassJugGB: it ran in GBASC2024061901 too',
    ])
  }))

test('two names of different countries, and two numbers, are two horses without a word', () =>
  withDatabase(async (place) => {
    await importAs(place, RPSCRAPE_FORMAT, scraped('2024-06-05', 'Brass Jug (GB)', 'Tin Cup (GB)'))
    const scrapedAgain = await importAs(
      place,
      RPSCRAPE_FORMAT,
      scraped('2024-06-06', 'Brass Jug (IRE)', 'Tin Cup (GB)'),
    )
    expect([scrapedAgain.merged, scrapedAgain.leftApart]).toEqual([[], []])
    await importAs(place, BETFAIR_SP_FORMAT, betfair('12', { 7001: 'Lead Urn', 7002: 'Iron Pot' }))
    const numbered = await importAs(
      place,
      BETFAIR_SP_FORMAT,
      betfair('13', { 7003: 'Lead Urn', 7004: 'Gold Vat' }),
    )
    expect([numbered.merged, numbered.leftApart]).toEqual([[], []])
  }))

test('a race that another source has stored is refused as ever, though its horses are known', () =>
  withDatabase(async (place) => {
    await importAs(place, RPSCRAPE_FORMAT, scraped('2024-06-05', 'Brass Jug (GB)', 'Tin Cup (GB)'))
    await importAs(place, BETFAIR_SP_FORMAT, betfair('12', { 7001: 'Brass Jug', 7002: 'Tin Cup' }))
    const before = await storedRows(place)
    const report = await importAs(
      place,
      BETFAIR_SP_FORMAT,
      betfair('05', { 7001: 'Brass Jug', 7002: 'Tin Cup' }),
    )
    expect([rejectLines(report.rejects), report.merged]).toEqual([['uk-05.csv:2 runners-lost'], []])
    const scrapedOver = await importAs(
      place,
      RPSCRAPE_FORMAT,
      scraped('2024-06-12', 'Brass Jug (GB)', 'Tin Cup (GB)'),
    )
    expect(rejectLines(scrapedOver.rejects)).toEqual(['results-2024-06-12.csv:2 other-horses'])
    expect(await storedRows(place)).toEqual(before)
  }))

test('an undo is refused while others have runners under what it would take back', () =>
  withDatabase(async (place) => {
    await importAs(place, RPSCRAPE_FORMAT, scraped('2024-06-05', 'Brass Jug (GB)', 'Tin Cup (GB)'))
    const { number } = await importAs(
      place,
      BETFAIR_SP_FORMAT,
      betfair('12', { 7001: 'Brass Jug', 7002: 'Pan' }),
    )
    // As the feed would: without a log of its own.
    await place.database.rows(
      `insert into race (id, key, region_id, stadium_id, race_date, season, race_no, status, declared_starters, places)
       select 'GBYRK2024062001', 9999, region_id, stadium_id, '2024-06-20', season, 1, 'scheduled', 1, 0 from race limit 1`,
    )
    await place.database.rows(
      `insert into runner (race_id, horse_id, source_brand, horse_no, status)
       values ('GBYRK2024062001', 'GB-BrassJugGB', '7001', 1, 'declared')`,
    )
    await expect(undoImport(place.database, number!, SETTLE)).rejects.toMatchObject({
      details: { reason: 'changed', rows: 1, example: 'runner GBYRK2024062001' },
    })
  }))

test('an undo takes back what the import found', () =>
  withDatabase(async (place) => {
    const aliases = (): Promise<unknown[]> =>
      place.database.rows('select brand, horse_id from horse_alias order by 1')
    await importAs(place, RPSCRAPE_FORMAT, scraped('2024-06-05', 'Brass Jug (GB)', 'Tin Cup (GB)'))
    const before = await storedRows(place)
    const { number } = await importAs(
      place,
      BETFAIR_SP_FORMAT,
      betfair('12', { 7001: 'Brass Jug', 7002: 'Pan' }),
    )
    expect(await aliases()).toEqual([{ brand: '7001', horseId: 'GB-BrassJugGB' }])
    await undoImport(place.database, number!, SETTLE)
    expect([await aliases(), await storedRows(place)]).toEqual([[], before])
  }))
