// @module-tag rest
import { execFile } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import * as calls from '../../contract/api/feed.ts'
import { ensureDemonstration } from '../../server/ingest/demo/demonstration.ts'
import { FURLONG, ROOT } from '../support/server-process.ts'
import { newSmallSeason, SMALL_SEASON_DAYS, TestServer } from '../support/api.ts'
import { newDatabase, newFolder } from '../support/databases.ts'
import { cardOf, oddsOf, raceOf, tomorrow } from '../support/feed-day.ts'
import { newOperatorToken } from '../support/operator-token.ts'
import { startWorkProcess } from '../support/worker.ts'

const run = promisify(execFile)

test('files put into a folder are taken, moved aside with their report, and never taken twice', async () => {
  const day = tomorrow(new Date())
  const place = await newDatabase('postgresql')
  const folder = newFolder()
  const put = (name: string, content: unknown): void =>
    writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))
  put('1-card.json', { kind: 'cards', races: [cardOf(day, 7)] })
  put('2-odds.json', {
    kind: 'odds',
    races: [oddsOf(day, 7), { ...oddsOf(day, 7), raceId: raceOf(day, 99) }],
  })
  put('3-bad.json', '{"kind": "odds", "races": [')
  put('4-kind.json', { kind: 'weather', races: [] })
  put('5-field.json', { kind: 'odds', races: [{ raceId: raceOf(day, 7) }] })
  put(
    '6-odds.csv',
    `stadium,date,race_no,horse_no,seen_at_utc,win_odds\nHKSHT,${day},7,1,2026-01-02T03:04Z,9.9\n`,
  )
  put('7-other.csv', 'a,b\n1,2\n')
  put('readme.txt', 'left alone')
  mkdirSync(join(folder, 'sub.json'))
  const environment = {
    ...process.env,
    FURLONG_DATA: place.dataFolder,
    DATABASE_URL: place.databaseUrl!,
    NODE_ENV: '',
  }
  const watchOnce = (): Promise<{ stdout: string }> =>
    run(process.execPath, [...FURLONG, 'feed', 'watch', folder, '--once'], {
      cwd: ROOT,
      env: environment,
    })
  const { stdout } = await watchOnce()
  expect(stdout).toContain('taken: 1-card.json')
  const done = readdirSync(join(folder, 'done')).toSorted()
  expect(done.filter((name) => !name.endsWith('.report.json'))).toEqual([
    '1-card.json',
    '2-odds.json',
    '6-odds.csv',
  ])
  const report = JSON.parse(
    readFileSync(join(folder, 'done', '2-odds.json.report.json'), 'utf8'),
  ) as calls.FeedReport
  expect(report.rejected).toMatchObject([{ reason: 'no-such-race' }])
  const failed = readdirSync(join(folder, 'failed')).filter((name) => !name.endsWith('.report.json'))
  expect(failed.toSorted()).toEqual(['3-bad.json', '4-kind.json', '5-field.json', '7-other.csv'])
  expect(readFileSync(join(folder, 'failed', '5-field.json.report.json'), 'utf8')).toContain('seenAt')
  expect(existsSync(join(folder, 'readme.txt'))).toBe(true)
  expect(
    await place.database.rows('select count(*) as n from win_chance where race_id = $1', [raceOf(day, 7)]),
  ).toEqual([{ n: 8 }])
  // A file that reappears under its name, as when the process was killed before moving it, is the same batch.
  const taken = statSync(join(folder, 'done', '1-card.json'))
  put('1-card.json', { kind: 'cards', races: [cardOf(day, 7)] })
  utimesSync(join(folder, '1-card.json'), taken.mtime, taken.mtime)
  await watchOnce()
  expect(readFileSync(join(folder, 'done', '1-card.json.report.json'), 'utf8')).toContain('"repeated": true')
  // The same file saved again later is a new batch: a correction may restore earlier content.
  put('1-card.json', { kind: 'cards', races: [cardOf(day, 7)] })
  await watchOnce()
  expect(readFileSync(join(folder, 'done', '1-card.json.report.json'), 'utf8')).toContain('"repeated": false')
  await place.close()
})

test('the demonstration takes odds of its own races, and no cards beside them', async () => {
  const server = await TestServer.start(await newSmallSeason('postgresql', new Date()))
  const token = await newOperatorToken(server.database)
  let key = 0
  const headers = () => ({ authorization: `Bearer ${token}`, 'idempotency-key': `${(key += 1)}` })
  const cards = { races: [cardOf(tomorrow(new Date()), 1)] }
  expect(await server.call(calls.feedCards, { headers: headers(), body: cards })).toMatchObject({
    ok: false,
    error: 'demonstration-present',
  })
  const [race] = await server.database.rows<{ id: string; no: number }>(
    `select race.id, horse_no as no from race join runner on race_id = race.id
     where race.status = 'scheduled' and runner.status = 'declared' order by race.id, horse_no limit 1`,
  )
  const report = await server.ask(calls.feedOdds, {
    headers: headers(),
    body: {
      races: [
        { raceId: race!.id, seenAt: new Date().toISOString(), odds: [{ horseNo: race!.no, odds: 77 }] },
      ],
    },
  })
  expect(report.rejected).toEqual([])
  await server.close()
  await server.place.close()
})

test('while the database does not answer, files wait; on the embedded one a watch needs the server', async () => {
  const day = tomorrow(new Date())
  const folder = newFolder()
  const card = join(folder, 'card.json')
  writeFileSync(card, JSON.stringify({ kind: 'cards', races: [cardOf(day, 1)] }))
  const watch = (environment: NodeJS.ProcessEnv, ...options: string[]) =>
    run(process.execPath, [...FURLONG, 'feed', 'watch', folder, ...options], {
      cwd: ROOT,
      env: { ...process.env, NODE_ENV: '', FURLONG_DATA: newFolder(), DATABASE_URL: '', ...environment },
    })
  await expect(watch({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }, '--once')).rejects.toMatchObject(
    {
      stderr: expect.stringContaining('The database cannot be reached') as string,
    },
  )
  expect(existsSync(card)).toBe(true)
  await expect(watch({})).rejects.toMatchObject({
    stderr: expect.stringContaining('Start the server first') as string,
  })
  expect(existsSync(card)).toBe(true)
})

test(
  'a race day of the demonstration runs from its card to its dividends, and is left as it ended',
  { tags: ['rest'] },
  async () => {
    const now = new Date()
    const place = await newSmallSeason('postgresql', now)
    const worker = startWorkProcess(place)
    const { stdout } = await run(process.execPath, [...FURLONG, 'demo', 'race-day', '--speed', '600'], {
      cwd: ROOT,
      env: {
        ...process.env,
        FURLONG_DATA: place.dataFolder,
        DATABASE_URL: place.databaseUrl!,
        NODE_ENV: '',
      },
    })
    expect(stdout).not.toContain('rejected')
    const ids = [...stdout.matchAll(/results: (\S+)/g)].map((match) => match[1]!)
    expect(ids.length).toBeGreaterThan(0)
    const ended = () =>
      place.database.rows<{ id: string; status: string; settled: boolean }>(
        `select id, status, exists (select 1 from settlement where race_id = race.id) as settled
       from race where id = any($1::text[]) order by id`,
        [ids],
      )
    await expect.poll(ended).toEqual(ids.toSorted().map((id) => ({ id, status: 'final', settled: true })))
    worker.kill('SIGTERM')
    // The demonstration updates the odds of other days and leaves this day unchanged.
    await ensureDemonstration(place.database, new Date(), SMALL_SEASON_DAYS)
    expect((await ended()).every(({ status }) => status === 'final')).toBe(true)
    await place.close()
  },
)
