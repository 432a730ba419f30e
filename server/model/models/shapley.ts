/**
 * What coalitions of players are worth in several games at once: one number a game. `members` is a set of bits, player
 * `i` being `1 << i`. The answer may be overwritten by the next call.
 */
export type Worth = (members: number) => Float64Array

/** Up to this many players every coalition is looked at. */
const EXACT_PLAYERS = 5
/**
 * Pairs of an order and its reverse in which more players join: four orders of 14 groups miss the networks' exact values
 * by 0.005 in the mean where those are 0.04 (docs/decisions/032-network.md).
 */
const PAIRS = 2

/**
 * Shapley values (Shapley 1953): what each player adds when it joins the others, in the mean over the orders of joining.
 * By player, one number a game; they sum to the worth of all minus that of nobody. Exact up to `EXACT_PLAYERS`
 * players, else over the orders of `joiningOrders`. Deterministic.
 */
export const shapleyValues = (players: number, worth: Worth): Float64Array[] =>
  players <= EXACT_PLAYERS ? exactShapley(players, worth) : orderedShapley(players, worth, PAIRS)

/** Shapley values from the worth of each of the 2^`players` coalitions. */
export function exactShapley(players: number, worth: Worth): Float64Array[] {
  const everyone = 2 ** players - 1
  const { length: games } = worth(0)
  const values = Array.from({ length: players }, () => new Float64Array(games))
  // Share of the orders in which exactly these `size` players come before a given other one.
  const shares = [1 / players]
  for (let size = 1; size < players; size += 1) shares.push((shares[size - 1]! * size) / (players - size))
  for (let members = 0; members <= everyone; members += 1) {
    const worths = worth(members)
    const size = bitCount(members)
    for (const [player, value] of values.entries()) {
      const share = members & (1 << player) ? shares[size - 1]! : -shares[size]!
      for (let game = 0; game < games; game += 1) value[game]! += share * worths[game]!
    }
  }
  return values
}

function bitCount(members: number): number {
  let count = 0
  for (let rest = members; rest > 0; rest &= rest - 1) count += 1
  return count
}

/**
 * Shapley values over `pairs` pairs of orders. Exact whenever what players add together is the sum of what pairs of
 * them add, since each pair of orders has either of two players once before the other; a player that adds nothing
 * gets nothing, and the sum is exact for every game (Castro, Gómez and Tejada 2009 sample orders at random).
 */
export function orderedShapley(players: number, worth: Worth, pairs: number): Float64Array[] {
  const nobody = worth(0).slice()
  const everyone = worth(2 ** players - 1).slice()
  const { length: games } = nobody
  const values = Array.from({ length: players }, () => new Float64Array(games))
  const orders = joiningOrders(players, pairs)
  const before = new Float64Array(games)
  for (const order of orders) {
    before.set(nobody)
    let members = 0
    for (const [place, player] of order.entries()) {
      members |= 1 << player
      const after = place === players - 1 ? everyone : worth(members)
      const value = values[player]!
      for (let game = 0; game < games; game += 1)
        value[game]! += (after[game]! - before[game]!) / orders.length
      before.set(after)
    }
  }
  return values
}

/**
 * `pairs` orders of players and their reverses: rows of a Williams square (Williams 1949), evenly spaced. All rows of
 * the square have each player once in each place.
 */
export function joiningOrders(players: number, pairs: number): number[][] {
  const even = players + (players % 2)
  const zigzag = Array.from({ length: even }, (_, place) =>
    place % 2 === 0 ? place / 2 : even - (place + 1) / 2,
  )
  const half = even / 2
  const count = Math.min(pairs, half)
  return Array.from({ length: count }, (_, pair) => Math.floor((pair * half) / count)).flatMap((shift) => {
    const order = zigzag.map((player) => (player + shift) % even).filter((player) => player < players)
    return [order, order.toReversed()]
  })
}
