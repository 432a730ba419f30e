// @module-tag rest
import { afterAll, beforeAll, expect, test } from 'vitest'
import sharp from 'sharp'
import { ANALYTICS_PATH } from '../../contract/api/analytics.ts'
import * as calls from '../../contract/api/alert.ts'
import { raceSubscribe } from '../../contract/api/subscription.ts'
import { changeSavedView, deleteSavedView, querySavedViews, saveView } from '../../contract/api/view.ts'
import { buildDataset } from '../../server/dataset/build.ts'
import { ViewAlerts } from '../../server/dataset/view-alerts.ts'
import { ensureDemonstration } from '../../server/ingest/demo/demonstration.ts'
import { lastRaceDayOf } from '../../server/routes/context.ts'
import { deliverWaiting } from '../../server/alerts/alert-delivery.ts'
import { scoreStaleRaces } from '../../server/scoring/score.ts'
import { ensureAlertChoice } from '../../server/store/accounts/alert-setting-store.ts'
import { startMailServer } from '../support/alert-receivers.ts'
import { newSmallSeason, SMALL_SEASON_DAYS, TestServer } from '../support/api.ts'
import { DEMO_DAY } from '../support/demo-data.ts'
import { seedCustomer, type Seeded } from '../support/seed-customer.ts'

const REGION = '100000'
/** The first pick of each race for the win: of locked races as soon as there are any, and of backtests alone. */
const PICKS = ''
const TESTED_PICKS = 'origin=backtest'
/** What only the rows of the history can answer. */
const DRAWN_FIRST = 'v=2&f=bet_type%3A1~draw%3A1'

let server: TestServer
let mail: Awaited<ReturnType<typeof startMailServer>>
let time = DEMO_DAY
let alerts: ViewAlerts

const newAlerts = () =>
  new ViewAlerts(
    { ...server.context, lastRaceDayOf: (regionId) => lastRaceDayOf(server.context, regionId) },
    () => time,
  )

beforeAll(async () => {
  mail = await startMailServer()
  const place = await newSmallSeason('postgresql')
  await buildDataset(place.database, place.dataFolder, DEMO_DAY)
  server = await TestServer.start(place, {
    time: () => time,
    settings: {
      FURLONG_SMTP_URL: mail.url,
      FURLONG_MAIL_FROM: 'alerts@furlong.example',
      FURLONG_SITE_URL: 'https://furlong.example',
    },
  })
  alerts = newAlerts()
})
afterAll(async () => {
  await server.close()
  await mail.close()
  await server.place.close()
})

const tell = (from = alerts) =>
  from.tell((error) => {
    throw error
  })
const deliver = () => deliverWaiting(server.database, server.context.settings.alerts, () => time)
const list = async ({ token }: Seeded, language = 'en') =>
  (await server.ask(calls.queryAlerts, { token, language })).alerts

async function newReader(isVip: boolean): Promise<Seeded> {
  const reader = await seedCustomer(server.database, { at: DEMO_DAY })
  if (isVip)
    await server.database.rows(`update customer set vip_end = '2027-12-31T00:00:00Z' where id = $1::uuid`, [
      reader.id,
    ])
  return reader
}

const save = ({ token }: Seeded, name: string, address: string) =>
  server.ask(saveView, { token, body: { countryRegionId: REGION, name, address } })
const change = ({ token }: Seeded, body: object) => server.ask(changeSavedView, { token, body })

/** The time moves to the day after the next meeting, which is run, settled and built. */
async function nextMeeting(): Promise<void> {
  time = new Date(time.getTime() + 2 * 86_400_000)
  await ensureDemonstration(server.database, time, SMALL_SEASON_DAYS)
  await scoreStaleRaces(server.database, undefined, () => time)
  await buildDataset(server.database, server.place.dataFolder, time)
}

/** Confirms an address without its message, whose link `alerts.test.ts` opens. */
async function confirm({ id }: Seeded, address: string): Promise<void> {
  await ensureAlertChoice(server.database, id, 'en')
  await server.database.rows(`insert into alert_email values ($1::uuid, $2, $3, $3, $2, $3, $2)`, [
    id,
    address,
    time,
  ])
}

/** What the record asks for the figures of the picks, as the screen of a reader does. */
async function figuresOf({ token }: Seeded, origin: string) {
  const where = {
    and: [
      { dim: 'model', in: ['market-baseline'] },
      { dim: 'origin', in: [origin] },
      { dim: 'bet_type', in: [1] },
      { dim: 'prediction_type', in: [1] },
    ],
  }
  const measures = ['predictions', 'hits', 'hit_rate', 'profit', 'return']
  const response = await server.fetch(
    { method: 'POST', path: ANALYTICS_PATH },
    {
      token,
      body: { regionId: REGION, request: { aggregate: { model: 'predictions', by: [], measures, where } } },
    },
  )
  const { result } = (await response.json()) as { result: { rows: Record<string, number>[] } }
  return result.rows[0]!
}

test('a followed view tells once of each coming race that matches, and of none that its owner may not see', async () => {
  const [vip, member] = [await newReader(true), await newReader(false)]
  for (const reader of [vip, member]) {
    const { id } = await save(reader, 'Drawn first', DRAWN_FIRST)
    await change(reader, { id, followed: true })
  }
  const expected = await server.database.rows<{ raceId: string; raceNo: number; horseNo: number }>(
    `select race.id as race_id, race_no, runner.horse_no from race join runner on runner.race_id = race.id
     join prediction on prediction.race_id = race.id and model_id = 'market-baseline' and gameplay_class = 1
       and combination = runner.horse_no::text
     where region_id = $1 and race.status = 'scheduled' and draw = 1 and race_date between $2::date and $2::date + 1
     order by race_date, race_no`,
    [REGION, '2026-11-21'],
  )
  expect(expected.length).toBeGreaterThan(2)
  await tell()
  await tell()
  // Another process, or the same one after a start.
  await tell(newAlerts())
  await deliver()
  const [alert, ...others] = await list(vip)
  expect(others).toEqual([])
  expect(alert!.title).toBe(`Drawn first: ${expected.length} coming matches`)
  expect(alert!.body).toBe(expected.map(({ raceNo, horseNo }) => `Race ${raceNo}: ${horseNo}`).join(' · '))
  expect(alert!.path).toContain(`HorseRace?id=${expected[0]!.raceId}`)
  expect(await list(member)).toEqual([])

  const opened = expected[1]!
  await server.ask(raceSubscribe, { token: member.token, query: { raceId: opened.raceId } })
  await tell()
  await deliver()
  expect(await list(member)).toMatchObject([
    { title: 'Drawn first: 1 coming match', body: `Race ${opened.raceNo}: ${opened.horseNo}` },
  ])
})

test('a figure past its limit is told of once until it has been on the other side, with the value of the rolling line', async () => {
  const reader = await newReader(true)
  const { id } = await save(reader, 'Picks', TESTED_PICKS)
  const limit = { measure: 'return', length: 20, unit: 'bets', side: 'below', value: 50 }
  expect(await change(reader, { id, threshold: limit })).toEqual({ changed: true })
  const views = await server.ask(querySavedViews, {
    token: reader.token,
    query: { countryRegionId: REGION },
  })
  expect(views).toMatchObject([{ threshold: limit, digest: null }])
  await tell()
  await tell()
  await deliver()
  // The last bets by whole days, until there are 20, straight from the tables.
  const days = await server.database.rows<{ bets: number; profit: number; staked: number }>(
    `select count(*)::int as bets, sum(profit_cents)::float8 as profit,
       sum(case when profit_cents is null then 0 else 1000 end)::float8 as staked
     from settlement join prediction using (race_id, model_id, gameplay_class, rank)
     join race on race.id = race_id
     where region_id = $1 and model_id = 'market-baseline' and gameplay_class = 1 and selected and outcome <> 'void'
     group by race_date order by race_date desc`,
    [REGION],
  )
  const sums = { bets: 0, profit: 0, staked: 0 }
  for (const day of days) {
    if (sums.bets >= 20) break
    sums.bets += day.bets
    sums.profit += day.profit
    sums.staked += day.staked
  }
  const share = new Intl.NumberFormat('en', {
    style: 'percent',
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
    signDisplay: 'exceptZero',
  })
  const now = share.format(sums.profit / sums.staked).replace('-', '−')
  const [alert, ...others] = await list(reader)
  expect(others).toEqual([])
  expect(alert!.title).toBe(`Picks: return ${now}, below +5,000.0%`)
  expect(alert!.path).toBe('/pages/race/WinLossRecord?origin=backtest')
  await nextMeeting()
  await tell()
  await deliver()
  expect(await list(reader)).toHaveLength(1)
  // Another limit is looked at anew.
  await change(reader, { id, threshold: { ...limit, side: 'above', value: -1 } })
  await tell()
  await deliver()
  expect((await list(reader)).map(({ title }) => title)[0]).toContain(', above −100.0%')
  await change(reader, { id, threshold: null })
  await nextMeeting()
  await tell()
  await deliver()
  expect(await list(reader)).toHaveLength(2)
})

test('a digest has the figures of the record, a picture of them and the link, at once and after each meeting', async () => {
  const reader = await newReader(true)
  await confirm(reader, 'digest@example.com')
  const { id } = await save(reader, 'My picks', TESTED_PICKS)
  await change(reader, { id, digest: 'meeting' })
  mail.mails.length = 0
  await tell()
  await tell()
  await deliver()
  expect(mail.mails).toHaveLength(1)
  const figures = await figuresOf(reader, 'backtest')
  const [alert] = await list(reader)
  const text = (share: number, signDisplay: 'auto' | 'exceptZero') =>
    new Intl.NumberFormat('en', {
      style: 'percent',
      minimumFractionDigits: 1,
      maximumFractionDigits: 1,
      signDisplay,
    })
      .format(share)
      .replace('-', '−')
  expect(alert!.title).toBe(`My picks: return ${text(figures['return']!, 'exceptZero')}`)
  expect(alert!.body).toContain(`${figures['predictions']} rows, ${figures['hits']} hits`)
  expect(alert!.body).toContain(`(${text(figures['hit_rate']!, 'auto')})`)
  const raw = mail.mails[0]!.raw.replaceAll('=\r\n', '').replaceAll('=3D', '=')
  expect(raw).toContain('https://furlong.example/#/pages/race/WinLossRecord?origin=backtest')
  const encoded = /Content-Type: image\/png[\s\S]*?\r\n\r\n([A-Za-z0-9+/=\r\n]+)/.exec(raw)![1]!
  const picture = await sharp(Buffer.from(encoded, 'base64')).metadata()
  expect([picture.format, picture.width, picture.height]).toEqual(['png', 1200, 400])
  await nextMeeting()
  await tell()
  await deliver()
  expect(mail.mails).toHaveLength(2)
  expect(mail.mails[1]!.raw).not.toContain('undefined')
})

test('a member gets the figures of the daily totals, and none of what only VIPs may ask', async () => {
  const reader = await newReader(false)
  const open = await save(reader, 'Open', TESTED_PICKS)
  const locked = await save(reader, 'Locked', DRAWN_FIRST)
  for (const { id } of [open, locked])
    await change(reader, {
      id,
      digest: 'weekly',
      threshold: { measure: 'return', length: 20, unit: 'bets', side: 'below', value: 50 },
    })
  await tell()
  await deliver()
  const titles = (await list(reader)).map(({ title }) => title)
  expect(titles).toHaveLength(2)
  expect(titles.every((title) => title.startsWith('Open: '))).toBe(true)
})

test('what a VIP was told is withheld once the membership has ended; a deleted view tells nothing', async () => {
  const reader = await newReader(true)
  const { id } = await save(reader, 'Mine', DRAWN_FIRST)
  await change(reader, { id, digest: 'weekly' })
  await tell()
  await server.database.rows('update customer set vip_end = null where id = $1::uuid', [reader.id])
  await deliver()
  expect(await list(reader)).toEqual([])
  const rows = await server.database.rows<{ state: string }>(
    `select state from alert where customer_id = $1::uuid`,
    [reader.id],
  )
  expect(rows).toEqual([{ state: 'withheld' }])

  const owner = await newReader(true)
  const gone = await save(owner, 'Gone', PICKS)
  await change(owner, { id: gone.id, digest: 'weekly' })
  await tell()
  await deliver()
  expect(await list(owner)).toHaveLength(1)
  await server.ask(deleteSavedView, { token: owner.token, query: { id: gone.id } })
  expect(await list(owner)).toEqual([])
})

test('who chose kinds before there were those of views is told of them until choosing anew', async () => {
  const reader = await newReader(true)
  await ensureAlertChoice(server.database, reader.id, 'en')
  await server.database.rows(
    `update alert_setting set site_kinds = '{result}', chose_views = false where customer_id = $1::uuid`,
    [reader.id],
  )
  const before = await server.ask(calls.queryAlertSettings, { token: reader.token })
  expect(before.kinds.site).toEqual(['result', 'match', 'threshold', 'digest'])
  const { id } = await save(reader, 'Early', TESTED_PICKS)
  await change(reader, { id, digest: 'weekly' })
  await tell()
  await deliver()
  expect(await list(reader)).toHaveLength(1)
  const { pushKey: _, devices: __, emailOffered: ___, email: ____, ...choice } = before
  const kinds = { ...choice.kinds, site: ['result' as const] }
  await server.ask(calls.saveAlertSettings, { token: reader.token, body: { ...choice, kinds } })
  await change(reader, { id, digest: null })
  await change(reader, { id, digest: 'weekly' })
  await server.database.rows('delete from alert where customer_id = $1::uuid', [reader.id])
  await tell()
  await deliver()
  expect(await list(reader)).toEqual([])
})
