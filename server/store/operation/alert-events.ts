import { DEFAULT_PRICE_PERCENT } from '../../../contract/alert-kinds.ts'
import { gearItems } from '../../../domain/gear.ts'
import { groupBy } from '../../../domain/group-by.ts'
import { meetingId } from '../../../domain/race-id.ts'
import type { Queries } from '../../db/database.ts'
import { noteAlertEvents, startingRaces, writeAlerts, type AlertEvent, type Notice } from './alert-store.ts'

const HOUR_MS = 3_600_000
/** A result is of interest until the next day. */
const RESULT_MS = 12 * HOUR_MS
/** How long before a race its followers are told that it starts. */
export const START_MS = 15 * 60_000

interface RunnerRow {
  raceId: string
  raceStatus: 'scheduled' | 'final' | 'abandoned'
  startsAt: string | null
  horseId: string
  horseNo: number | null
  jockeyId: string | null
  trainerId: string | null
  draw: number | null
  gear: string | null
  status: string
  place: string | null
}

/**
 * Records what races that were written mean for followers: entries, declarations, withdrawals, gear and results. What was
 * recorded before changes nothing, so it does not matter how often a race is written.
 */
export async function noteRaceAlerts(queries: Queries, raceIds: readonly string[], now: Date): Promise<void> {
  if (raceIds.length === 0) return
  const rows = await queries.rows<RunnerRow>(
    `select race.id as race_id, race.status as race_status, starts_at, horse_id, horse_no, jockey_id, trainer_id, draw, gear,
       runner.status, coalesce(place::text, place_code) as place
     from race join runner on runner.race_id = race.id
     where race.id = any($1::text[]) and race_date >= $2::date - 1 order by race.id, place, horse_no`,
    [raceIds, now.toISOString().slice(0, 10)],
  )
  const races = groupBy(rows, ({ raceId }) => raceId)
  await noteAlertEvents(
    queries,
    [...races.values()].flatMap((runners) => eventsOf(runners, now)),
    now,
  )
}

function eventsOf(runners: readonly RunnerRow[], now: Date): AlertEvent[] {
  const { raceId, raceStatus, startsAt } = runners[0]!
  if (raceStatus !== 'scheduled') return resultsOf(runners, now)
  const isRun = startsAt !== null && Date.parse(startsAt) <= now.getTime()
  const expiresAt = startsAt === null ? new Date(now.getTime() + 24 * HOUR_MS) : new Date(startsAt)
  return isRun ? [] : runners.flatMap((runner) => runnerEvents(runner, { raceId, expiresAt }))
}

function runnerEvents(
  { horseId, horseNo, jockeyId, trainerId, draw, gear, status }: RunnerRow,
  race: { raceId: string; expiresAt: Date },
): AlertEvent[] {
  const horse = ['horse', horseId] as const
  const common = { ...race, horseId, targets: [horse] }
  if (status === 'withdrawn') return [{ ...common, kind: 'withdrawn', state: '', facts: { horseNo } }]
  const worn = gearItems(gear ?? '').flatMap(({ code, mark }) => (mark === 'first' ? [code] : []))
  const first: AlertEvent[] =
    worn.length === 0
      ? []
      : [{ ...common, kind: 'gear', state: worn.join('/'), facts: { horseNo, gear: worn } }]
  if (draw === null || jockeyId === null)
    return [{ ...common, kind: 'entered', state: '', facts: { horseNo } }, ...first]
  const trainer = trainerId === null ? [] : ([['trainer', trainerId]] as const)
  const declared: AlertEvent = {
    ...common,
    kind: 'declared',
    state: `${draw} ${jockeyId}`,
    facts: { horseNo, draw, jockeyId },
    targets: [horse, ['jockey', jockeyId], ...trainer],
  }
  return [declared, ...first]
}

function resultsOf(runners: readonly RunnerRow[], now: Date): AlertEvent[] {
  const { raceId, raceStatus } = runners[0]!
  const expiresAt = new Date(now.getTime() + RESULT_MS)
  const targets = [['race', raceId] as const, ['meeting', meetingId(raceId)] as const]
  const whole = { kind: 'result', raceId, horseId: '', expiresAt } as const
  if (raceStatus === 'abandoned') {
    const horses = runners.map(({ horseId }) => ['horse', horseId] as const)
    const facts = { abandoned: true } as const
    return [{ ...whole, state: 'abandoned', facts, targets: [...targets, ...horses] }]
  }
  const places = runners.flatMap(({ place, horseNo }) => (place === null ? [] : [`${place}:${horseNo}`]))
  const ran = runners.filter(({ status, place }) => status !== 'withdrawn' && place !== null)
  return [
    { ...whole, state: places.join(','), facts: {}, targets },
    ...ran.map(({ horseId, horseNo, place }): AlertEvent => ({
      ...whole,
      horseId,
      state: place!,
      facts: { horseNo, place: place! },
      targets: [['horse', horseId]],
    })),
  ]
}

/** Records the races that start within a quarter of an hour: of a followed meeting only the first. */
export async function noteStarts(queries: Queries, now: Date): Promise<void> {
  const races = await startingRaces(queries, now, new Date(now.getTime() + START_MS))
  const events = races.map(({ id, startsAt, isFirst }): AlertEvent => ({
    kind: 'start',
    raceId: id,
    horseId: '',
    state: '',
    facts: {},
    targets: [['race', id], ...(isFirst ? ([['meeting', meetingId(id)]] as const) : [])],
    expiresAt: new Date(startsAt),
  }))
  await noteAlertEvents(queries, events, now)
}

/** Records coming races whose most probable winner is another horse than before; nobody is told of the first one. */
export async function noteTipAlerts(queries: Queries, raceIds: readonly string[], now: Date): Promise<void> {
  if (raceIds.length === 0) return
  const tips = await queries.rows<{ id: string; startsAt: string; first: string; before: string | null }>(
    `select race.id, starts_at, combination as first, (select state from alert_event
       where kind = 'tip' and race_id = race.id order by alert_event.id desc limit 1) as before
     from race join prediction on prediction.race_id = race.id and model_id = headline_model and gameplay_class = 1 and rank = 1
     where race.id = any($1::text[]) and race.status = 'scheduled' and starts_at > $2`,
    [raceIds, now],
  )
  const events = tips.flatMap(({ id, startsAt, first, before }): AlertEvent[] => {
    const [count = '0', known] = before?.split(' ') ?? []
    if (known === first) return []
    const targets =
      before === null
        ? []
        : ([
            ['race', id],
            ['meeting', meetingId(id)],
          ] as const)
    const state = `${Number(count) + 1} ${first}`
    const expiresAt = new Date(startsAt)
    return [{ kind: 'tip', raceId: id, horseId: '', state, facts: {}, targets, expiresAt }]
  })
  await noteAlertEvents(queries, events, now)
}

interface PricedFollower {
  customerId: string
  raceId: string
  horseId: string
  horseNo: number
  startsAt: string | null
  odds: number
  firstOdds: number
  percent: number | null
  below: number | null
}

/**
 * Writes alerts of horses whose price has moved since the first one of the day, by as much as each follower chose, or has
 * passed the price that the follower chose; each step of a move once.
 */
export async function notePriceAlerts(
  queries: Queries,
  raceIds: readonly string[],
  now: Date,
): Promise<void> {
  if (raceIds.length === 0) return
  const found = await queries.rows<PricedFollower>(
    `select follow.customer_id, race.id as race_id, horse_id, runner.horse_no, starts_at, last.odds, first.odds as first_odds,
       case when setting.customer_id is null then $3::int else price_percent end as percent, price_below as below
     from race join runner on runner.race_id = race.id and runner.status = 'declared'
     join follow on follow.kind = 'horse' and follow.target = horse_id
     join customer on customer.id = follow.customer_id and customer.deleted_at is null
     left join alert_setting setting on setting.customer_id = follow.customer_id
     join lateral (select odds from odds_tick where race_id = race.id and horse_no = runner.horse_no
       order by seen_at limit 1) first on true
     join lateral (select odds from odds_tick where race_id = race.id and horse_no = runner.horse_no
       order by seen_at desc limit 1) last on true
     where race.id = any($1::text[]) and race.status = 'scheduled' and (starts_at is null or starts_at > $2)`,
    [raceIds, now, DEFAULT_PRICE_PERCENT],
  )
  const notices = found.flatMap((follower): Notice[] => {
    const { customerId, raceId, horseId, horseNo, odds, firstOdds, startsAt } = follower
    const expiresAt = startsAt === null ? new Date(now.getTime() + 24 * HOUR_MS) : new Date(startsAt)
    const facts = { horseNo, odds, firstOdds }
    return priceSteps(follower).map((step) => ({
      customerId,
      kind: 'price',
      raceId,
      horseId,
      facts,
      key: `price ${raceId} ${horseId} ${step}`,
      expiresAt,
    }))
  })
  await writeAlerts(queries, notices, now)
}

/** What a price has passed: the followed price, and whole steps of the followed percentage from the first price. */
function priceSteps({
  odds,
  firstOdds,
  percent,
  below,
}: Pick<PricedFollower, 'odds' | 'firstOdds' | 'percent' | 'below'>): string[] {
  const steps = percent === null ? 0 : Math.trunc(Math.log(odds / firstOdds) / Math.log(1 + percent / 100))
  return [
    ...(steps === 0 ? [] : [`${percent}% ${steps}`]),
    ...(below !== null && odds <= below && firstOdds > below ? [`below ${below}`] : []),
  ]
}
