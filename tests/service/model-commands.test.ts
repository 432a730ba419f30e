// @module-tag rest
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readManifest } from '../../server/dataset/dataset-index.ts'
import { ensureDemonstration } from '../../server/ingest/demo/demonstration.ts'
import { scoreStaleRaces } from '../../server/scoring/score.ts'
import { claimJob, enqueueJob, giveUpJob, readJobs } from '../../server/store/operation/job-store.ts'
import { furlong } from '../support/command.ts'
import { newDemonstration } from '../support/demo-data.ts'
import { newDatabase, newFolder, type TestDatabase } from '../support/databases.ts'
import { startWorkProcess } from '../support/worker.ts'

/** Enough days of the previous season for a region to learn from. */
const DAYS = 240
const DAY_MS = 86_400_000

let place: TestDatabase
let environment: NodeJS.ProcessEnv
beforeAll(async () => {
  place = await newDatabase('postgresql')
  environment = { FURLONG_DATA: place.dataFolder, DATABASE_URL: place.databaseUrl ?? '' }
})
afterAll(() => place.close())

async function printed(...args: string[]): Promise<string> {
  const ran = await furlong(environment, ...args)
  // Progress is written to the other stream.
  expect(ran.code, ran.err).toBe(0)
  return ran.out
}
const json = async <Result>(...args: string[]): Promise<Result> =>
  JSON.parse(await printed(...args, '--json')) as Result

test(
  'models are fitted, judged, written as a card, and their predictions verified',
  { tags: ['rest'] },
  async () => {
    // Races locked a week ago have been run.
    const before = new Date(Date.now() - 8 * DAY_MS)
    await ensureDemonstration(place.database, before, DAYS)
    await scoreStaleRaces(place.database, undefined, () => before)
    await ensureDemonstration(place.database, new Date(), DAYS)
    const fit = async (...options: string[]): Promise<number[]> =>
      (await json<{ fitted: number[] }[]>('score', 'train', ...options)).map(({ fitted }) => fitted.length)
    const [first, ...others] = await fit('--region', 'HK')
    expect([first! > 0, others]).toEqual([true, []])
    // The other region has no models yet; nothing is fitted twice unless requested.
    expect(await fit()).toEqual([0, first])
    expect(await fit()).toEqual([0, 0])
    expect(await fit('--region', 'HK', '--again')).toEqual([first])
    expect(await printed('score', 'predict')).toMatch(
      /^[1-9]\d* races, [1-9]\d* predictions, [1-9]\d* locked in /,
    )
    expect(await printed('score', 'verify')).toMatch(
      /^[1-9]\d* commitments compared, 0 broken\n( {2}end of the chain of region \d+: \d+ [0-9a-f]{64}\n)+$/,
    )
    expect(await printed('score', 'backtest')).toMatch(/\d+ MB at most\n$/)
    // The demonstration lacks the seasons on which settings are chosen.
    const choosing = await furlong(environment, 'score', 'choose')
    expect([choosing.code, choosing.err]).toEqual([1, expect.stringMatching(/too few results of 2017/)])
    const folder = newFolder()
    const [card, model] = [join(folder, 'card.md'), join(folder, 'model.json')]
    await printed('score', 'card', '--out', card, '--model', model)
    expect(readFileSync(card, 'utf8')).toMatch(/^# /)
    expect(Object.keys(JSON.parse(readFileSync(model, 'utf8')) as object).length).toBeGreaterThan(3)
    const unknown = await furlong(environment, 'score', 'train', '--region', 'XX')
    expect([unknown.code, unknown.err]).toEqual([1, expect.stringContaining('XX')])
  },
)

test('which model a region shows first is told and changed, with what stays; what cannot be is refused', async () => {
  const own = await newDemonstration('postgresql')
  try {
    const settings = { FURLONG_DATA: own.dataFolder, DATABASE_URL: own.databaseUrl ?? '' }
    const promote = (...options: string[]) => furlong(settings, 'score', 'promote', ...options)
    const status = async (): Promise<string> =>
      (await furlong(settings, 'score', 'status', '--region', 'HK')).out
    expect(await status()).toMatch(
      /^region 100000: network is shown first where there are no odds, since 20.*\n {2}20.*: network promoted\n {2}no model was trained yet\n$/,
    )
    const refused = async (...options: string[]): Promise<string> => {
      const ran = await promote(...options)
      expect(ran.code).not.toBe(0)
      return ran.err
    }
    expect(await refused('network', '--region', 'HK')).toContain('shows network first already')
    expect(await refused('oracle', '--region', 'HK')).toContain('There are: fundamental, network')
    expect(await refused('fundamental', '--region', 'HK')).toContain('no predictions of fundamental yet')
    expect(await refused('fundamental')).toContain('--region')
    await own.database.rows(
      `insert into win_chance (race_id, model_id, horse_no, probability, reasons)
       select id, 'fundamental', 1, 0.5, '' from race where region_id = '100000' order by id limit 1`,
    )
    const promoted = await promote('fundamental', '--region', 'HK')
    expect(promoted.err).toBe('')
    expect(promoted.out).toMatch(
      /^region 100000: races that are locked from 20\S+ on show fundamental first .*, in place of network; .*\n.*earlier races showed stays.*\n$/,
    )
    expect(await status()).toMatch(
      /: fundamental is shown first .*\n.*network promoted\n.*fundamental promoted\n/,
    )
    // The index of the files, by which the workspace orders the models, follows.
    const { regions } = readManifest(own.dataFolder)!
    expect(regions.map(({ headline }) => headline)).toEqual(['fundamental', 'network'])
  } finally {
    await own.close()
  }
})

test('plans on sale, and tokens of the feed, are listed; a token is shown once and revoked', async () => {
  const plans = await json<{ id: string }[]>('plans', 'list')
  expect((await printed('plans', 'list')).split('\n')).toHaveLength(plans.length + 1)
  const made = await json<{ id: string; token: string }>('feed', 'token', 'odds board', '--scope', 'odds')
  expect(await printed('feed', 'tokens')).toBe(`${made.id} odds board: odds; last used never\n`)
  expect(await printed('feed', 'revoke', made.id)).toBe('revoked\n')
  expect(await printed('feed', 'tokens')).toMatch(/: odds; revoked 20\d\d-/)
  expect(JSON.stringify(await json('feed', 'tokens'))).not.toContain(made.token)
  expect(await json('feed', 'batches', '--limit', '20')).toEqual([])
})

test('a job that was given up is tried again, waits for a worker of its lane, and is cancelled', async () => {
  const { database } = place
  const host = hostname()
  const payload = { format: 'hk', paths: ['/nowhere'], replaceDemonstration: false, train: false, host }
  const id = await enqueueJob(database, { kind: 'import', payload })
  const claim = { worker: 'test', lanes: ['heavy'] as const, host, leaseMs: 60_000, only: [id] }
  const taken = await claimJob(database, claim)
  expect(await giveUpJob(database, taken!, { error: null })).toBe(true)
  const stateOf = async (key: string): Promise<string | undefined> =>
    (await readJobs(database, [key]))[0]?.state
  expect(await stateOf(id)).toBe('dead')
  const again = (await printed('jobs', 'retry', id)).trim()
  expect([await stateOf(id), await stateOf(again)]).toEqual([undefined, 'waiting'])
  const other = await enqueueJob(database, { kind: 'score', payload: {} })
  const worker = startWorkProcess(place, '--lanes', 'score,build')
  await expect.poll(() => stateOf(other), { timeout: 60_000 }).toBe('done')
  expect(await stateOf(again)).toBe('waiting')
  const ended = once(worker, 'exit')
  worker.kill('SIGTERM')
  await ended
  expect(await printed('jobs', 'cancel', again)).toBe('cancelled\n')
  expect(await stateOf(again)).not.toBe('waiting')
})
