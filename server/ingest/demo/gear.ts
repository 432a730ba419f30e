import { addDays } from '../../../domain/region.ts'
import { seedOf, seededRandom } from '../../../domain/random.ts'

/** Codes of the Hong Kong Jockey Club, the frequent ones more than once. */
const ITEMS = ['B', 'B', 'TT', 'TT', 'TT', 'V', 'H', 'CP', 'CP', 'P', 'XB', 'SR', 'E'] as const
const MONTHS_OF_QUARTER = 3
/** Part of the horses that wear something all the time, and of those that try something else in a quarter. */
const USUAL = 0.45
const TRIED = 0.4

/** A piece of gear that a horse wears from a day on until the end of a quarter. */
interface Trial {
  item: string
  from: string
}

/** The first day of the quarter of a day. */
function quarterOf(date: string): string {
  const month = Number(date.slice(5, 7))
  const first = month - ((month - 1) % MONTHS_OF_QUARTER)
  return `${date.slice(0, 5)}${String(first).padStart(2, '0')}-01`
}

const usualItem = (brand: string): string | null => {
  const random = seededRandom(seedOf(`gear ${brand}`))
  return random() < USUAL ? ITEMS[Math.floor(random() * ITEMS.length)]! : null
}

function trialIn(brand: string, quarter: string): Trial | null {
  const random = seededRandom(seedOf(`gear ${brand} ${quarter}`))
  if (random() >= TRIED) return null
  const others = ITEMS.filter((item) => item !== usualItem(brand))
  // Each quarter another one: a season has no second time of the same.
  const distinct = [...new Set(others)]
  const at = seedOf(`gear ${brand}`) + quarterNumber(quarter)
  return { item: distinct[at % distinct.length]!, from: addDays(quarter, Math.floor(random() * 80)) }
}

const quarterNumber = (quarter: string): number =>
  Number(quarter.slice(0, 4)) * 4 + Math.floor((Number(quarter.slice(5, 7)) - 1) / MONTHS_OF_QUARTER)

/**
 * What a horse of the demonstration wears on a day, marked as the Jockey Club does: `B/TT1` is blinkers as usual and a
 * tongue tie for the first time, `TT-` one that was taken off; `--` nothing. `ranBetween` tells whether the horse ran
 * from a day on and before another. Random streams of its own: gear has no influence on how horses run.
 */
export function gearOn(
  brand: string,
  date: string,
  ranBetween: (from: string, before: string) => boolean,
): string {
  const quarter = quarterOf(date)
  const items = [usualItem(brand)].filter((item) => item !== null)
  const tried = trialIn(brand, quarterOf(addDays(quarter, -1)))
  if (tried && ranBetween(tried.from, quarter) && !ranBetween(quarter, date)) items.push(`${tried.item}-`)
  const trial = trialIn(brand, quarter)
  if (trial && trial.from <= date) items.push(`${trial.item}${ranBetween(trial.from, date) ? '' : '1'}`)
  return items.length === 0 ? '--' : items.join('/')
}
