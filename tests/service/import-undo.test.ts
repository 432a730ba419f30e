// @module-tag rest
import { spawn } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { FEED_BODIES } from '../../contract/api/feed.ts'
import { connectDatabase } from '../../server/db/database-client.ts'
import { serveDatabase } from '../../server/db/database-socket.ts'
import { isEmbedded, type Database, type Queries } from '../../server/db/database.ts'
import { openDatabase } from '../../server/db/open.ts'
import { reportLines, type ImportReport } from '../../server/drafts/report.ts'
import { takeBatch } from '../../server/ingest/feed.ts'
import { FURLONG_FORMAT } from '../../server/ingest/furlong/furlong-format.ts'
import { HK_FORMAT } from '../../server/ingest/hk/hk-format.ts'
import { importFiles, type ImportRequest } from '../../server/ingest/import.ts'
import { undoImport } from '../../server/ingest/undo-import.ts'
import { scoreStaleRaces } from '../../server/scoring/score.ts'
import type { Service } from '../../server/services/service.ts'
import { subscribe } from '../../server/services/vouchers.ts'
import { countChanges, LOGGED_IMPORTS, listRuns } from '../../server/store/operation/import-log.ts'
import { insertSubscription } from '../../server/store/accounts/voucher-store.ts'
import { countStale } from '../../server/store/racing/scoring-store.ts'
import { writeManyHkFiles } from '../fixtures/many-hk-files.ts'
import { furlong } from '../support/command.ts'
import { describeOnBoth, newDatabase, newFolder, type Kind, type TestDatabase } from '../support/databases.ts'
import { oddsOf, raceOf, tomorrow } from '../support/feed-day.ts'
import { dividendsCsv, furlongRace, furlongRow, oddsCsv, runnersCsv } from '../support/furlong-files.ts'
import { csv, writeFiles } from '../support/import-files.ts'
import { seedCustomer } from '../support/seed-customer.ts'
import { FURLONG, ROOT } from '../support/server-process.ts'

const SETTLE = { kind: 'settle', payload: { verify: true } } as const
const FOLDER = writeManyHkFiles(newFolder(), 1)
const HONG_KONG: ImportRequest = { format: HK_FORMAT, paths: [FOLDER], replaceDemonstration: false }

const SECTIONS = csv(
  'stadium,date,race_no,horse_no,section,position,margin,time',
  'HKSHT,2026-03-08,1,1,1,1,1/2,24.00',
  'HKSHT,2026-03-08,1,1,2,1,1,23.00',
  'HKSHT,2026-03-08,1,1,3,1,SH,23.10',
)

/** Files of a race of our own layout with everything that an import writes beside form lines. */
const FIRST = {
  'runners.csv': runnersCsv(...furlongRace({ jockey: 'Old Rider' })),
  'dividends.csv': dividendsCsv('1,1,paid,25.00', '2,1,paid,12.00'),
  'odds.csv': oddsCsv('2026-03-08T04:00Z'),
  'sections.csv': SECTIONS,
}
/** The same race with another result, a runner less, other dividends, odds and sections, and a second race. */
const SECOND = {
  'runners.csv': runnersCsv(
    ...furlongRace({ jockey: 'New Rider' }).slice(0, 4),
    ...furlongRace({ race_no: '2', jockey: 'New Rider' }),
  ),
  'dividends.csv': dividendsCsv('1,1,paid,31.00', '2,2,paid,11.00'),
  'odds.csv': oddsCsv('2026-03-08T04:00Z', '2026-03-08T04:30Z'),
  'sections.csv': SECTIONS.replace('24.00', '24.10').replace('23.10', '23.00'),
}

const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

async function newPlace(kind: Kind): Promise<TestDatabase> {
  const place = await newDatabase(kind)
  ends.push(() => place.close())
  return place
}

const importOurs = (
  database: Database,
  files: Record<string, string>,
  more: Partial<ImportRequest> = {},
): Promise<ImportReport> =>
  importFiles(database, {
    format: FURLONG_FORMAT,
    paths: [writeFiles(files)],
    replaceDemonstration: false,
    allowRemovals: true,
    ...more,
  })

const DERIVED = `'{scoring,headline_model,amended}'::text[]`
const WITHOUT_KEYS = `'{key,scoring,headline_model,amended}'::text[]`
const RACING = [
  'stadium',
  'horse',
  'jockey',
  'trainer',
  'race',
  'runner',
  'dividend',
  'odds_tick',
  'form_line',
  'section',
  'race_section',
]

async function rowsOf(
  { rows }: Queries,
  tables: readonly string[],
  without = `'{}'::text[]`,
): Promise<Record<string, string[]>> {
  const all: Record<string, string[]> = {}
  for (const table of tables) {
    const found = await rows<{ cells: string }>(
      `select (to_jsonb(t) - ${without})::text as cells from ${table} t order by 1`,
    )
    all[table] = found.map(({ cells }) => cells)
  }
  return all
}

/** Every row of racing tables, without what is derived from them. */
const racingRows = (queries: Queries): Promise<Record<string, string[]>> => rowsOf(queries, RACING, DERIVED)
const scoredRows = (queries: Queries): Promise<Record<string, string[]>> =>
  rowsOf(queries, ['race', 'prediction', 'settlement', 'win_chance', 'daily_hits'])

async function wholeDatabase(queries: Queries): Promise<Record<string, string[]>> {
  const tables = await queries.rows<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public' order by 1`,
  )
  expect(tables.length).toBeGreaterThan(50)
  return rowsOf(
    queries,
    tables.map(({ name }) => name),
  )
}

const refusal = (reason: string, details: object = {}) => ({
  code: 'import-not-undone',
  details: { reason, ...details },
})

describeOnBoth('imports, on %s', { usual: 'pglite' }, (kind) => {
  test('a dry run reports what the import then does, and changes nothing', async () => {
    const { database } = await newPlace(kind)
    await importOurs(database, FIRST)
    await scoreStaleRaces(database)
    const before = await wholeDatabase(database)
    const trial = await importOurs(database, SECOND, { dryRun: true })
    expect(await wholeDatabase(database)).toEqual(before)
    expect(trial.number).toBeNull()
    const { number, seconds, ...done } = await importOurs(database, SECOND)
    expect(number).toBe(2)
    expect(seconds).toBeGreaterThan(0)
    expect({ ...trial, number: undefined, seconds: undefined }).toEqual({
      ...done,
      number: undefined,
      seconds: undefined,
    })
    expect(trial.tables['runner']).toEqual({ inserted: 5, updated: 4, unchanged: 0 })
    expect(trial.removed.length).toBeGreaterThan(0)
    expect(await wholeDatabase(database)).not.toEqual(before)
  })

  test('a file that is refused leaves no import behind', async () => {
    const { database } = await newPlace(kind)
    for (const dryRun of [true, false])
      await expect(
        importOurs(database, { 'runners.csv': runnersCsv('a,b') }, { dryRun }),
      ).rejects.toMatchObject({ code: 'no-good-row' })
    expect(await listRuns(database, 9)).toEqual([])
  })

  test('undone one after the other, they leave the rows that were there before each', async () => {
    const { database } = await newPlace(kind)
    const empty = await racingRows(database)
    const { number: first } = await importFiles(database, HONG_KONG)
    const hongKong = await racingRows(database)
    const withoutKeys = await rowsOf(database, RACING, WITHOUT_KEYS)
    for (const table of ['form_line', 'dividend', 'horse', 'race'])
      expect(hongKong[table], table).not.toEqual([])
    const { number: second } = await importOurs(database, FIRST)
    await scoreStaleRaces(database)
    const [rows, scored] = [await racingRows(database), await scoredRows(database)]
    for (const table of RACING) expect(rows[table], table).not.toEqual([])
    const { number: third } = await importOurs(database, SECOND)
    expect([first, second, third]).toEqual([1, 2, 3])
    await scoreStaleRaces(database)
    const corrected = await racingRows(database)
    for (const table of ['race', 'runner', 'dividend', 'odds_tick', 'section', 'race_section', 'jockey'])
      expect(corrected[table], table).not.toEqual(rows[table])

    await expect(undoImport(database, 2, SETTLE)).rejects.toMatchObject(refusal('later', { other: 3 }))
    await expect(undoImport(database, 4, SETTLE)).rejects.toMatchObject({ code: 'no-such-import' })
    expect(await racingRows(database)).toEqual(corrected)

    const revision = (): Promise<unknown[]> =>
      database.rows('select season, revision from partition_revision order by 1')
    const before = await revision()
    expect(await undoImport(database, 3, SETTLE)).toMatchObject({ race: 2, horse: 5, jockey: 1 })
    expect(await racingRows(database)).toEqual(rows)
    expect(await revision()).not.toEqual(before)
    expect(await database.rows(`select kind from job`)).toEqual([{ kind: 'settle' }])
    expect(await countStale(database)).toBe(1)
    await scoreStaleRaces(database)
    expect(await scoredRows(database)).toEqual(scored)

    await expect(undoImport(database, 3, SETTLE)).rejects.toMatchObject(refusal('undone'))
    await undoImport(database, 2, SETTLE)
    expect(await racingRows(database)).toEqual(hongKong)
    await undoImport(database, 1, SETTLE)
    expect(await racingRows(database)).toEqual(empty)
    expect(await database.rows('select 1 from prediction')).toEqual([])
    // What was undone can be imported again, under other keys.
    await importFiles(database, HONG_KONG)
    expect(await rowsOf(database, RACING, WITHOUT_KEYS)).toEqual(withoutKeys)
  })

  test('keys of what was undone are not given to others, which views of customers would then show', async () => {
    const { database } = await newPlace(kind)
    const keyed = ['stadium', 'horse', 'jockey', 'race']
    const keys = (): Promise<number[][]> =>
      Promise.all(
        keyed.map(async (table) =>
          (await database.rows<{ key: number }>(`select key from ${table}`)).map(({ key }) => key),
        ),
      )
    await importFiles(database, HONG_KONG)
    const given = await keys()
    await undoImport(database, 1, SETTLE)
    await importOurs(database, SECOND)
    await undoImport(database, 2, SETTLE)
    await importOurs(database, FIRST)
    for (const [index, later] of (await keys()).entries()) {
      expect(later.length, keyed[index]).toBeGreaterThan(0)
      expect(Math.min(...later), keyed[index]).toBeGreaterThan(Math.max(...given[index]!))
    }
  })

  test('what was changed since is not undone', async () => {
    const { database } = await newPlace(kind)
    const empty = await racingRows(database)
    await importOurs(database, FIRST)
    for (const [change, back, example] of [
      [
        'update runner set draw = 9 where horse_no = 2',
        'update runner set draw = 2 where horse_no = 2',
        'runner',
      ],
      ['update odds_tick set odds = 7', 'update odds_tick set odds = 2.5', 'odds_tick'],
      [
        `update horse set name_en = 'A' where brand = 'P101'`,
        `update horse set name_en = 'Paper 1' where brand = 'P101'`,
        'HK-P101',
      ],
      [
        `insert into dividend values ('HKSHT2026030801', 'other', null, '', 'refund', null)`,
        `delete from dividend where pool = 'other'`,
        'dividend HKSHT',
      ],
      [
        'create table gone as select * from dividend; delete from dividend',
        'insert into dividend select * from gone',
        'dividend',
      ],
    ] as const) {
      await database.script(change)
      const rows = await racingRows(database)
      const error = await undoImport(database, 1, SETTLE).catch((found: unknown) => found)
      expect(error).toMatchObject(refusal('changed'))
      expect(String(error)).toContain(example)
      expect(await racingRows(database)).toEqual(rows)
      await database.script(back)
    }
    await undoImport(database, 1, SETTLE)
    expect(await racingRows(database)).toEqual(empty)
  })

  test('a horse that another race has since is not taken away', async () => {
    const { database } = await newPlace(kind)
    await importOurs(database, FIRST)
    const horses = await racingRows(database)
    await database.script(`
      insert into race (id, key, region_id, stadium_id, race_date, race_no, season, declared_starters, places, status)
        select 'HKSHT2026030899', 99, region_id, stadium_id, race_date, 99, season, 1, 3, 'final' from race;
      insert into runner (race_id, horse_id, status) values ('HKSHT2026030899', 'HK-P101', 'finished')`)
    await expect(undoImport(database, 1, SETTLE)).rejects.toMatchObject(
      refusal('changed', { rows: 1, example: 'horse HK-P101' }),
    )
    expect((await racingRows(database))['horse']).toEqual(horses['horse'])
  })

  test('odds that the feed brought, and a race that is locked or unlocked, stay', async () => {
    const { database } = await newPlace(kind)
    const day = tomorrow(new Date())
    const card = (draw: string): string[] =>
      [1, 2, 3, 4, 5].map((no) =>
        furlongRow(no, {
          date: day,
          race_status: 'scheduled',
          starts_at_utc: `${day}T05:00Z`,
          status: 'declared',
          place: '',
          finish_time: '',
          draw: no === 2 ? draw : `${no}`,
        }),
      )
    const { number } = await importOurs(database, { 'runners.csv': runnersCsv(...card('2')) })
    const race = raceOf(day, 1)
    const customer = await seedCustomer(database, { vouchers: 3 })
    await insertSubscription(database, customer.id, race, 'no_expiry', new Date())
    const used = refusal('used', { rows: 1, example: race })
    await expect(undoImport(database, number!, SETTLE)).rejects.toMatchObject(used)
    await database.rows('delete from subscription')
    await scoreStaleRaces(database)
    expect(await database.rows('select 1 from prediction_lock')).not.toEqual([])
    const [rows, scored] = [await racingRows(database), await scoredRows(database)]
    await expect(undoImport(database, number!, SETTLE)).rejects.toMatchObject(used)
    expect([await racingRows(database), await scoredRows(database)]).toEqual([rows, scored])
    // A corrected card is taken back: what was locked stays, and the next scoring locks what is right again.
    const { number: second } = await importOurs(database, { 'runners.csv': runnersCsv(...card('7')) })
    expect(await racingRows(database)).not.toEqual(rows)
    const locks = await database.rows('select * from prediction_lock order by number')
    await undoImport(database, second!, SETTLE)
    expect(await racingRows(database)).toEqual(rows)
    expect(await database.rows('select * from prediction_lock order by number')).toEqual(locks)
    await scoreStaleRaces(database)
    expect(await scoredRows(database)).toEqual(scored)
    // Odds are rows of the feed, and change the runners.
    const { number: third } = await importOurs(database, { 'runners.csv': runnersCsv(...card('7')) })
    const { odds, ...board } = oddsOf(day, 1)
    const body = FEED_BODIES.odds.parse({ races: [{ ...board, odds: odds.slice(0, 5) }] })
    await takeBatch(database, { source: 'test', key: 'odds', kind: 'odds', body }, new Date())
    await expect(undoImport(database, third!, SETTLE)).rejects.toMatchObject(refusal('changed', { rows: 1 }))
  })

  test('a runner that was marked, or a race that frozen rules were held against with it, is not taken away', async () => {
    const { database } = await newPlace(kind)
    const day = tomorrow(new Date())
    const card = (race: number, runners: number): string[] =>
      Array.from({ length: runners }, (_, index) =>
        furlongRow(index + 1, {
          date: day,
          race_no: `${race}`,
          brand: `P10${index + 1}`,
          race_status: 'scheduled',
          starts_at_utc: `${day}T0${race}:00Z`,
          status: 'declared',
          place: '',
          finish_time: '',
        }),
      )
    await importOurs(database, { 'runners.csv': runnersCsv(...card(1, 4), ...card(2, 5)) })
    const before = await racingRows(database)
    await importOurs(database, { 'runners.csv': runnersCsv(...card(1, 5)) })
    const [race, after] = [raceOf(day, 1), await racingRows(database)]
    expect(after['horse']).toEqual(before['horse'])
    const { id } = await seedCustomer(database)
    for (const [use, table] of [
      [
        `insert into runner_mark (customer_id, race_id, horse_id, shortlisted, updated_at)
         select $1::uuid, race_id, horse_id, true, now() from runner where race_id = '${race}' and horse_no = 5`,
        'runner_mark',
      ],
      [
        `with rule as (
           insert into frozen_rule (id, customer_id, region_id, name, address, universe, filter, rules, plan, frozen_at)
           values (gen_random_uuid(), $1, '100000', 'one', '', 'kept', '', '', '', now()) returning id)
         insert into frozen_check (rule_id, race_id, checked_at) select id, '${race}', now() from rule`,
        'frozen_check',
      ],
    ] as const) {
      await database.rows(use, [id])
      await expect(undoImport(database, 2, SETTLE)).rejects.toMatchObject(
        refusal('used', { rows: 1, example: race }),
      )
      expect(await racingRows(database)).toEqual(after)
      await database.rows(`delete from ${table}`)
    }
    await undoImport(database, 2, SETTLE)
    expect(await racingRows(database)).toEqual(before)
  })

  test('the log is kept for the last imports, and imports that change nothing are not among them', async () => {
    const { database } = await newPlace(kind)
    const days = Array.from({ length: LOGGED_IMPORTS + 1 }, (_, index) => `2026-03-${10 + index}`)
    // A race with the horses and times of another is refused.
    const fileOf = (day: string) => ({
      'runners.csv': runnersCsv(
        ...[1, 2, 3].map((no) =>
          furlongRow(no, {
            date: day,
            starts_at_utc: `${day}T05:00Z`,
            finish_time: `1:${day.slice(8)}.${no}0`,
          }),
        ),
      ),
    })
    for (const day of days) {
      const lines = reportLines(await importOurs(database, fileOf(day)))
      expect(lines.join('\n')).toMatch(/imports undo \d/)
    }
    const report = await importOurs(database, fileOf(days[0]!))
    const { number } = report
    const runs = await listRuns(database, 99)
    expect(runs.map(({ isLogged }) => isLogged)).toEqual([false, ...days.slice(1).map(() => true), false])
    expect(runs[0]).toMatchObject({ number, changedRows: 0, format: 'furlong' })
    await expect(undoImport(database, number!, SETTLE)).rejects.toMatchObject(refusal('nothing'))
    expect(reportLines(report).join('\n')).not.toContain('undo')
    for (const [index] of days.slice(1).entries()) await undoImport(database, days.length - index, SETTLE)
    await expect(undoImport(database, 1, SETTLE)).rejects.toMatchObject(
      refusal('forgotten', { other: LOGGED_IMPORTS }),
    )
    expect(await database.rows('select id from race')).toHaveLength(1)
  })

  test(
    'a killed undo leaves all or nothing, and the command lists and undoes',
    { timeout: 240_000 },
    async () => {
      const { database, dataFolder, databaseUrl, close } = await newDatabase(kind)
      if (kind === 'postgresql') ends.push(close)
      const empty = await racingRows(database)
      await importFiles(database, HONG_KONG)
      const rows = await racingRows(database)
      if (kind === 'pglite') await database.close()
      const environment = { FURLONG_DATA: dataFolder, DATABASE_URL: databaseUrl ?? '' }
      const stored = async (): Promise<Record<string, string[]>> => {
        if (kind === 'postgresql') return racingRows(database)
        const opened = await openDatabase({ dataFolder, databaseUrl })
        return racingRows(opened).finally(() => opened.close())
      }
      const listed = await furlong(environment, 'imports', 'list')
      expect(listed.out).toMatch(new RegExp(`^1  .*  hk  logged  ${FOLDER}  .*race 124 new 0 changed`))
      const child = spawn(process.execPath, [...FURLONG, 'imports', 'undo', '1', '--no-train'], {
        cwd: ROOT,
        env: { ...process.env, ...environment },
        stdio: 'ignore',
      })
      const ended = new Promise((resolve) => child.once('exit', resolve))
      await pause(1200)
      child.kill('SIGKILL')
      await ended
      const after = await stored()
      const isUndone = after['race']!.length === 0
      expect(after).toEqual(isUndone ? empty : rows)
      if (!isUndone) {
        const undone = await furlong(environment, 'imports', 'undo', '1', '--no-train', '--json')
        expect(undone.err).not.toContain('furlong:')
        expect(JSON.parse(undone.out)).toMatchObject({ number: 1, restored: { race: 124 } })
      }
      expect(await stored()).toEqual(empty)
      const again = await furlong(environment, 'imports', 'undo', '1')
      expect(again).toMatchObject({ code: 1 })
      expect(again.err).toContain('Import 1 cannot be undone: it was undone already. Nothing was changed.')
      const dry = await furlong(environment, 'import', '--dry-run', FOLDER)
      expect(dry.out).toContain('dry run: this is what an import would change. Nothing was written.')
      expect(dry.out).toContain('race: 124 new, 0 changed, 0 unchanged')
      expect(await stored()).toEqual(empty)
      expect((await furlong(environment, 'imports', 'undo', 'last')).code).toBe(1)
    },
  )
})

test('a race that an undo has removed meanwhile is not unlocked', async () => {
  const { database } = await newPlace('postgresql')
  await importOurs(database, FIRST)
  const customer = await seedCustomer(database, { vouchers: 3 })
  const race = 'HKSHT2026030801'
  await database.rows(
    `insert into win_chance (race_id, model_id, horse_no, probability, reasons) values ($1, 'market-baseline', 1, 0.5, '')
     returning race_id`,
    [race],
  )
  const service = { database, now: () => new Date() } as unknown as Service
  const waiting = (): Promise<unknown[]> => database.rows('select pid from pg_locks where not granted')
  const [undone, asked] = await database.transaction(async (queries) => {
    // The undo has looked for customers of the race when it comes to this row.
    await queries.rows(`select from setting where name like 'learning-revision %' for update`)
    const undoing = undoImport(database, 1, SETTLE).catch((error: unknown) => error)
    await expect.poll(waiting).toHaveLength(1)
    const unlocking = subscribe(service, customer.id, race).catch((error: unknown) => error)
    await pause(500)
    return [undoing, unlocking]
  })
  expect(await undone).toMatchObject({ race: 1 })
  expect(await asked).toMatchObject({ code: 'no-such-race' })
  expect(await database.rows('select 1 from subscription')).toEqual([])
  expect(await database.rows(`select 1 from voucher_ledger where reason = 'subscribe'`)).toEqual([])
})

/** An embedded database that a server has open: directly, and as a command reaches it. */
async function served(): Promise<{ direct: Database; command: Database }> {
  const { database: direct, dataFolder } = await newPlace('pglite')
  if (!isEmbedded(direct)) throw new Error('not embedded')
  const server = await serveDatabase(direct, dataFolder)
  ends.push(() => server.close())
  const command = (await connectDatabase(dataFolder))!
  ends.push(() => command.close())
  return { direct, command }
}

test('through a server, imports are undone that are small, and dry runs are refused', async () => {
  const { direct, command } = await served()
  await importFiles(command, HONG_KONG)
  const rows = await racingRows(direct)
  await expect(importFiles(command, { ...HONG_KONG, dryRun: true })).rejects.toMatchObject({
    code: 'server-in-the-way',
  })
  await importOurs(command, FIRST)
  await importOurs(command, SECOND)
  await undoImport(command, 3, SETTLE)
  await undoImport(command, 2, SETTLE)
  expect(await racingRows(direct)).toEqual(rows)
  await importFiles(command, { ...HONG_KONG, paths: [writeManyHkFiles(newFolder(), 7)] })
  const more = await racingRows(direct)
  await expect(undoImport(command, 4, SETTLE)).rejects.toMatchObject({ code: 'server-in-the-way' })
  expect(await racingRows(direct)).toEqual(more)
  await undoImport(direct, 4, SETTLE)
  expect(await racingRows(direct)).toEqual(rows)
  // What was predicted of its races would go too.
  await scoreStaleRaces(direct)
  expect(await countChanges(direct, 1)).toBeLessThan(5000)
  await expect(undoImport(command, 1, SETTLE)).rejects.toMatchObject({ code: 'server-in-the-way' })
  expect(await racingRows(direct)).toEqual(rows)
})

test('an import that was interrupted between two pieces is undone, or continued under its number', async () => {
  const { direct, command } = await served()
  const empty = await racingRows(direct)
  const interrupted = async (transactions: number): Promise<void> => {
    let left = transactions
    const failing: Database = {
      ...command,
      transaction: (work) => {
        left -= 1
        if (left < 0) throw new Error('connection lost')
        return command.transaction(work)
      },
    }
    await expect(importFiles(failing, HONG_KONG)).rejects.toThrow('connection lost')
  }
  await interrupted(4)
  expect(await racingRows(direct)).not.toEqual(empty)
  await expect(undoImport(direct, 1, SETTLE)).rejects.toMatchObject(refusal('writing'))
  // A minute after its last piece nobody continues it.
  await direct.rows(
    `update setting set value = (value::jsonb || jsonb_build_object('at', clock_timestamp() - interval '2 minutes'))::text
     where name like 'import-in-pieces %'`,
  )
  await undoImport(direct, 1, SETTLE)
  expect(await racingRows(direct)).toEqual(empty)
  expect(await direct.rows(`select 1 from setting where name like 'import-in-pieces %'`)).toEqual([])
  await interrupted(4)
  const { number } = await importFiles(command, HONG_KONG)
  expect(number).toBe(2)
  await undoImport(direct, 2, SETTLE)
  expect(await racingRows(direct)).toEqual(empty)
  // No other one is undone meanwhile either.
  await importOurs(direct, FIRST)
  const rows = await racingRows(direct)
  await interrupted(1)
  await expect(undoImport(direct, 3, SETTLE)).rejects.toMatchObject(refusal('writing'))
  expect(await racingRows(direct)).toEqual(rows)
})
