/** Made-up files of Betfair's stream, after its public format. */

interface RunnerState {
  id: number
  name?: string
  status?: string
  bsp?: number | string
  removalDate?: string
}

export interface MarketFacts {
  id?: string
  sport?: string
  type?: string
  name?: string
  country?: string
  venue?: string
  timezone?: string
  start?: string
  opens?: string
  winners?: number
}

const FACTS: Required<MarketFacts> = {
  id: '1.900000001',
  sport: '7',
  type: 'WIN',
  name: '1m Hcap',
  country: 'GB',
  venue: 'Hamilton',
  timezone: 'Europe/London',
  start: '2024-06-14T18:55:00.000Z',
  opens: '2024-06-14T18:55:00.000Z',
  winners: 1,
}

export interface State {
  inPlay?: boolean
  bspReconciled?: boolean
  status?: string
}

/** One market, whose messages are added one by one; `at`: minutes before the off, less than 0 after it. */
export class MarketFile {
  readonly messages: {
    pt: number
    mc: { marketDefinition?: unknown; rc?: { id: number; ltp: number }[] }[]
  }[] = []
  private readonly facts: Required<MarketFacts>

  constructor(facts: MarketFacts = {}) {
    this.facts = { ...FACTS, ...facts }
  }

  define(
    at: number,
    runners: readonly RunnerState[],
    state: State = {},
    prices: Record<number, number> = {},
  ): this {
    const { id, sport, type, name, country, venue, timezone, start, opens, winners } = this.facts
    const { inPlay = false, bspReconciled = inPlay, status = 'OPEN' } = state
    const marketDefinition = {
      bspMarket: true,
      turnInPlayEnabled: true,
      persistenceEnabled: true,
      marketBaseRate: 5,
      eventId: '28270094',
      eventTypeId: sport,
      numberOfWinners: winners,
      bettingType: 'ODDS',
      marketType: type,
      marketTime: start,
      suspendTime: start,
      bspReconciled,
      complete: true,
      inPlay,
      status,
      runners: runners.map((runner, index) => ({
        adjustmentFactor: 10,
        status: 'ACTIVE',
        sortPriority: index + 1,
        ...runner,
      })),
      venue,
      countryCode: country,
      timezone,
      openDate: opens,
      name,
      eventName: `${venue} 14th Jun`,
    }
    return this.add(at, { id, marketDefinition, ...changes(prices) })
  }

  prices(at: number, prices: Record<number, number>): this {
    return this.add(at, { id: this.facts.id, ...changes(prices) })
  }

  private add(at: number, change: object): this {
    const pt = Date.parse(this.facts.start) - at * 60_000
    this.messages.push({ op: 'mcm', clk: String(this.messages.length), pt, mc: [change] } as never)
    return this
  }

  text(): string {
    return this.messages.map((message) => `${JSON.stringify(message)}\n`).join('')
  }
}

const changes = (prices: Record<number, number>) => {
  const rc = Object.entries(prices).map(([id, ltp]) => ({ id: Number(id), ltp }))
  return rc.length === 0 ? {} : { rc }
}

const NAMES = ['Tin Kettle', 'Brass Button', 'Cedar Mile', 'Dusty Lane', 'Old Harbour', 'Pale Ale']

interface Race extends MarketFacts {
  /** Its runners are this and the five numbers behind it. */
  firstId?: number
  /** Letters behind the names, which are else the same in every race. */
  mark?: string
}

/** The name of the runner `index` of `race`, as it stands in its market. */
export const nameOf = (index: number, { country = 'GB', mark = '' }: Race): string => {
  const name = `${NAMES[index]}${mark && ` ${mark}`}`
  return country === 'AU' ? `${index + 1}. ${name}` : name
}

/**
 * A race of six: the second is removed an hour before the off, which reduces all last prices, the first wins, and the third and
 * fourth were placed. Each of the six has two prices before the removal, and the five two behind it; then come those of the race.
 */
export function winMarket(race: Race = {}): MarketFile {
  const { firstId = 100 } = race
  const ids = NAMES.map((_, index) => firstId + index)
  const named = ids.map((id, index) => ({ id, name: nameOf(index, race) }))
  const removed = (runner: { id: number }) =>
    runner.id === firstId + 1
      ? { ...runner, status: 'REMOVED', removalDate: '2024-06-14T17:55:00.000Z' }
      : runner
  const prices = (of: readonly number[], price: (index: number) => number) =>
    Object.fromEntries(of.map((id) => [id, price(id - firstId)]))
  const left = ids.filter((id) => id !== firstId + 1)
  const result = (id: number) => ({ status: id === firstId ? 'WINNER' : 'LOSER' })
  return (
    new MarketFile(race)
      .define(600, named)
      .prices(
        300,
        prices(ids, (index) => 4 + index),
      )
      .prices(
        200,
        prices(ids, (index) => 5 + index),
      )
      .define(
        60,
        named.map(removed),
        {},
        prices(left, (index) => Number(((5 + index) * 0.93).toFixed(2))),
      )
      .prices(50, { ...prices(left, (index) => 4.5 + index), [firstId + 1]: 9.9 })
      // The names come once.
      .define(
        30,
        ids.map((id) => removed({ id })),
        {},
        prices(left, (index) => 4 + index),
      )
      .define(
        -1,
        ids.map((id) => removed({ id, ...bsp(id, firstId) })),
        { inPlay: true },
        prices(left, () => 1.5),
      )
      .prices(
        -2,
        prices(left, () => 1000),
      )
      .define(
        -5,
        ids.map((id) => ({ ...bsp(id, firstId), ...result(id), ...removed({ id }) })),
        { inPlay: true, status: 'CLOSED' },
      )
  )
}

const bsp = (id: number, firstId: number) =>
  id === firstId + 1 ? {} : { bsp: Number((4.15 + id - firstId).toFixed(2)) }

/** The place market of `winMarket`. */
export function placeMarket(race: Race = {}, placed: readonly number[] = [0, 2]): MarketFile {
  const { firstId = 100 } = race
  const ids = NAMES.map((_, index) => firstId + index)
  const named = ids.map((id, index) => ({ id, name: nameOf(index, race) }))
  const end = (id: number) =>
    id === firstId + 1
      ? { id, status: 'REMOVED' }
      : { id, status: placed.includes(id - firstId) ? 'WINNER' : 'LOSER', bsp: 1.3 + (id - firstId) / 10 }
  const closed = { inPlay: true, status: 'CLOSED' }
  return new MarketFile({ winners: 2, ...race, type: 'PLACE', id: `${race.id ?? FACTS.id}9` })
    .define(600, named)
    .prices(100, { [firstId]: 1.4 })
    .define(-5, ids.map(end), closed)
}
