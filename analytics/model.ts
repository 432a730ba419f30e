/** A value of a dimension outside of SQL: in filters, results and addresses. */
export type Scalar = string | number | boolean

/** What determines a dimension's value: the race, the prediction itself, or a horse in it. */
export type Level = 'race' | 'prediction' | 'horse'

/** How a value is formatted: the UI has one function for each. */
type Display =
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
  | 'distance'
  | 'pounds'
  | 'weight'
  | 'days'
  | 'percent'
  | 'change'
  | 'odds'
  | 'yes-no'
  | 'class'
  | 'name'
  | 'words'
  | 'own-band'

export interface Dimension {
  level: Level
  /** Type of the values outside of SQL. */
  type: 'text' | 'integer' | 'number' | 'boolean'
  /**
   * The value as a short expression over the source's columns, used to filter and, without bins, to group.
   */
  sql: string
  /** Converts the SQL value to the external one; absent where they are the same. */
  show?: (sql: string) => string
  /** Converts an external value to a literal; throws `RangeError` for an invalid one. */
  literal?: (value: Scalar) => string
  /** All possible values; a filter on any other is refused. */
  values?: readonly Scalar[]
  /**
   * Lower edges of the bands of a number: a group's key is its edge, and the first band
   * begins at the first edge.
   */
  bins?: readonly number[]
  /** Column of the opened tables that stores the index of the band. */
  bandColumn?: string
  /**
   * The only bet types for which the value is known whatever the outcome; for others a filter
   * would select by outcome.
   */
  betTypes?: readonly number[]
  /** Few values, so that groupings of additive sums can be computed in one pass over the rows. */
  few?: true
  display: Display
  /** Prefix of the message keys, for the display `words`. */
  words?: string
  /** Table with the names of the values, its key column, and its column of ids where the calls of the server know the value. */
  names?: { table: string; key: string; id?: string }
  order: 'key' | 'newest' | 'count'
  /** Read from the reader's own file, which only the engine on their device has. */
  own?: true
  /** Read from the details of starters, which are files of their own. */
  detail?: true
  /** Read from sectional times, which are files of their own: how it was run, known only after the race. */
  sections?: true
  /** Not in a model's table, but in its detailed one, of the same files. */
  joined?: true
  /** Not offered as a facet or breakdown: every figure has exactly one value of it. */
  pinned?: true
}

/** A sum over rows, from which measures are computed. */
export interface Sum {
  sql: string
  /** Read from the reader's own file, which only the engine on their device has. */
  own?: true
  /** Read from the details of starters, which are files of their own. */
  detail?: true
  /** Read from sectional times, which are files of their own. */
  sections?: true
  /** What a row adds to the sum, a DOUBLE: precomputed as a column for frequently queried rows. */
  value?: string
  /** `distinct`: not additive, but can be counted from a rollup that has `column`. */
  kind: 'additive' | 'distinct'
  column?: string
  /**
   * For sums of −ln(x): x. The logarithm of its product over the few rows of a race and bet type is minus
   * their sum; logarithms are three times slower in WASM than in native code.
   */
  product?: string
}

export interface Ratio {
  numerator: string
  denominator: string
  kind: 'share' | 'mean'
}

export type Unit = 'count' | 'share' | 'cents' | 'ratio' | 'nats' | 'seconds'

/** A figure. `sql` is an expression over the sums, which it references as `{name}`. */
export interface Measure {
  sums: readonly string[]
  sql: string
  unit: Unit
  /** A ratio of two sums, for the interval by meeting. */
  ratio?: Ratio
  betTypes?: readonly number[]
  /** Computed over the bets in chronological order. */
  ordered?: true
  /** Valid only where whole races are selected. */
  wholeRaces?: true
}

/** Pre-aggregated rows of the model. */
export interface Rollup {
  table: string
  /** Dimensions that it can be filtered and grouped by, besides the prediction type. */
  dimensions: readonly string[]
  sums: readonly string[]
  /** Column with one value per cluster: a meeting, or a day. */
  cluster: string
  /** Rows cover all ten predictions together, without a split by prediction type. */
  allTypes?: true
  /** There is one row per prediction type; 0 stands for all ten predictions. */
  perType?: true
  access: 'public' | 'member'
}

/** What filters are read and sorted by. */
export type HasDimensions = Pick<Model, 'dimensions'>

export interface Model {
  table: string
  /** The same rows with what is joined to them where a query reads a dimension or sum with `detail`, `sections` or `joined`. */
  detailedTable?: string
  /** The measure that counts the rows. */
  rows: string
  /** Columns that sort the rows as the bets were settled. */
  betOrder: readonly string[]
  dimensions: Readonly<Record<string, Dimension>>
  sums: Readonly<Record<string, Sum>>
  measures: Readonly<Record<string, Measure>>
  rollups: readonly Rollup[]
  /** Default order of rows; breaks every tie. */
  rowOrder: readonly string[]
}
