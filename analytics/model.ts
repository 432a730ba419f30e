/** A value of a dimension as it crosses every boundary: in filters, answers and addresses. */
export type Scalar = string | number | boolean

/** What fixes a dimension's value: the race, the prediction itself, or a horse in it. */
export type Level = 'race' | 'prediction' | 'horse'

/** How a value is put into words: the screen has one function for each. */
export type Display =
  | 'text'
  | 'integer'
  | 'decimal'
  | 'day'
  | 'month'
  | 'season'
  | 'weekday'
  | 'calendar-month'
  | 'meeting'
  | 'metres'
  | 'pounds'
  | 'days'
  | 'percent'
  | 'change'
  | 'odds'
  | 'yes-no'
  | 'name'
  | 'words'

export interface Dimension {
  level: Level
  /** Type of the values outside of SQL. */
  type: 'text' | 'integer' | 'number' | 'boolean'
  /** The value as a short expression over the columns of the source: what is filtered, and grouped by without bins. */
  sql: string
  /** From the SQL value to the one outside; absent where they are the same. */
  show?: (sql: string) => string
  /** A value from outside as a literal; throws `RangeError` for one that cannot be. */
  literal?: (value: Scalar) => string
  /** Values that there can be at all; a filter on another one is refused. */
  values?: readonly Scalar[]
  /** Lower edges that a number is grouped by: the group's key is its edge, the first group begins at the first edge. */
  bins?: readonly number[]
  /** Column of the opened tables that has the index of the band already. */
  bandColumn?: string
  /** Bet types for which alone the value is known whatever the outcome; elsewhere a filter would select by outcome. */
  betTypes?: readonly number[]
  /** Few values, and additive sums: groupings are made from one pass over the rows. */
  few?: true
  display: Display
  /** Prefix of message keys, for `words`. */
  words?: string
  /** Table with the names of the values and its key column. */
  names?: { table: string; key: string }
  order: 'key' | 'newest' | 'count'
  /** Not offered as a facet or breakdown: every figure has exactly one value of it. */
  pinned?: true
}

/** A sum over rows from which measures are made. */
export interface Sum {
  sql: string
  /** What a row adds to the sum, a DOUBLE: kept as a column of rows that are asked again and again. */
  value?: string
  /** `distinct`: cannot be added up, but counted anew from a rollup that has `column`. */
  kind: 'additive' | 'distinct'
  column?: string
  /**
   * For sums of −ln(x): x, whose product over the few rows of a race and bet type has the same logarithm. Logarithms are
   * three times slower in WASM than natively.
   */
  product?: string
}

export type Unit = 'count' | 'share' | 'cents' | 'ratio' | 'nats'

/** A figure. `sql` is over the sums, which it names as `{name}`. */
export interface Measure {
  sums: readonly string[]
  sql: string
  unit: Unit
  /** A ratio of two sums: what an interval by meeting is made of. `shift` is added to the ratio (a return is −1 + …). */
  ratio?: { numerator: string; denominator: string; kind: 'share' | 'mean'; shift?: number }
  betTypes?: readonly number[]
  /** Computed over the bets in their order. */
  ordered?: 'losing-run' | 'drawdown'
  /** Holds only where whole races are chosen. */
  wholeRaces?: true
}

/** Pre-aggregated rows of the model. */
export interface Rollup {
  table: string
  /** Dimensions that it can be filtered and grouped by. */
  dimensions: readonly string[]
  sums: readonly string[]
  /** Column of which one value is one meeting. */
  cluster: string
  /** Rows are of all ten predictions together: no prediction type can be told. */
  allTypes?: true
  /** Rows are given for each prediction type, 0 for all ten. */
  perType?: true
  access: 'public' | 'member'
}

export interface Model {
  table: string
  dimensions: Readonly<Record<string, Dimension>>
  sums: Readonly<Record<string, Sum>>
  measures: Readonly<Record<string, Measure>>
  rollups: readonly Rollup[]
  /** Order of rows that breaks every tie. */
  rowOrder: readonly string[]
}
