// Runs in the browser: Mosaic's coordinator, and plain queries, over the same table in their own engine. Bundled by
// `bench/peer.ts`; its packages are those of this folder.
import { AsyncDuckDB, VoidLogger } from '@duckdb/duckdb-wasm'
import {
  clauseInterval,
  clausePoint,
  Coordinator,
  MosaicClient,
  Selection,
  wasmConnector,
} from '@uwdata/mosaic-core'
import { column, Query, sum } from '@uwdata/mosaic-sql'
import { drawBars, painted } from '../bars.ts'

/** Longest wait for the views of one gesture, in milliseconds. */
const LIMIT_MS = 20_000

/** A view: the sums by one dimension, which all selections but its own filter. */
class View extends MosaicClient {
  constructor(selection, dim, sums) {
    super(selection)
    this.dim = dim
    this.sums = sums
    this.onResult = () => {}
  }
  query(filter = []) {
    const totals = Object.fromEntries(this.sums.map((name) => [name, sum(name)]))
    return Query.from('prediction')
      .select({ key: column(this.dim), ...totals })
      .where(filter)
      .groupby('key')
  }
  queryResult(data) {
    this.values = Array.from(data.getChild(this.sums[0]), Number)
    this.totals = this.sums.map((name) =>
      Array.from(data.getChild(name), Number).reduce((total, value) => total + value, 0),
    )
    this.onResult()
    return this
  }
}

/** The engine with the table in memory; `base`: where its files are. */
async function openTable(base) {
  const database = new AsyncDuckDB(new VoidLogger(), new Worker(`${base}duckdb-browser-eh.worker.js`))
  const [bytes] = await Promise.all([
    fetch(`${base}prediction.duckdb`).then((response) => response.arrayBuffer()),
    database.instantiate(`${base}duckdb-eh.wasm`),
  ])
  await database.open({})
  await database.registerFileBuffer('prediction.duckdb', new Uint8Array(bytes))
  const connection = await database.connect()
  await connection.query(`ATTACH 'prediction.duckdb' AS file (READ_ONLY)`)
  await connection.query('CREATE TABLE prediction AS SELECT * FROM file.prediction')
  return { database, connection }
}

/** Settles when each of some views has a result that came after this call. */
const answered = (views) =>
  Promise.all(
    views.map(
      (view) =>
        new Promise((resolve, reject) => {
          const late = setTimeout(() => reject(new Error(`${view.dim} has no result`)), LIMIT_MS)
          view.onResult = () => {
            clearTimeout(late)
            resolve()
          }
        }),
    ),
  )

/** Draws the values of views, and measures from `started`. */
async function shown(started, drawn) {
  const answeredMs = performance.now() - started
  for (const [board, values] of drawn) drawBars(board, values)
  await painted()
  return { answeredMs, paintedMs: performance.now() - started }
}

/** Opens the table and one view for each dimension; `extent`: the first and last value that an interval can have. */
async function openPeer({ base, dims, sums, extent }) {
  const { database, connection } = await openTable(base)
  const coordinator = new Coordinator(wasmConnector({ duckdb: database, connection }), { logger: null })
  const selection = Selection.crossfilter()
  const views = new Map(dims.map((dim) => [dim, new View(selection, dim, sums)]))
  const boards = new Map(dims.map((dim) => [dim, document.body.appendChild(document.createElement('div'))]))
  const all = answered([...views.values()])
  for (const view of views.values()) coordinator.connect(view)
  await all
  const others = (dim) => [...views.values()].filter((view) => view.dim !== dim)
  // Mosaic builds no pre-aggregate for a clause without a source, nor for an interval without a scale.
  const months = {}
  const of = (dim) => {
    const source = views.get(dim) ?? months
    return { source, clients: new Set([source]) }
  }
  const scale = { type: 'linear', domain: extent, range: [0, extent[1] - extent[0]] }
  const clauseOf = (dim, value) =>
    Array.isArray(value)
      ? clauseInterval(dim, value, { ...of(dim), scale })
      : clausePoint(dim, value, of(dim))
  return {
    /** Selects a value, or an interval, of a view: until all others are answered, and until they are painted. */
    async click(dim, value) {
      const started = performance.now()
      const done = answered(others(dim))
      selection.update(clauseOf(dim, value))
      await done
      const times = await shown(
        started,
        others(dim).map((view) => [boards.get(view.dim), view.values]),
      )
      return { ...times, totals: others(dim)[0].totals }
    },
    /** What entering a view with the pointer does: its pre-aggregates are built. */
    async hover(dim, value) {
      const started = performance.now()
      selection.activate(clauseOf(dim, value))
      await coordinator.query('SELECT 1 AS one', { cache: false })
      return performance.now() - started
    },
    /** Takes the selection back, and forgets every result and pre-aggregate. */
    async clear(dim) {
      const done = answered(others(dim))
      selection.update(clausePoint(dim, undefined, of(dim)))
      await done
      await coordinator.preaggregator.dropSchema()
      coordinator.manager.cache().clear()
    },
    /** The same without a library: one query for each other view. */
    async plain(dim, condition) {
      const started = performance.now()
      const drawn = []
      const totals = sums.map((name) => `sum(${name}) AS ${name}`).join(', ')
      for (const { dim: by } of others(dim)) {
        const table = await connection.query(
          `SELECT ${by} AS key, ${totals} FROM prediction WHERE ${condition} GROUP BY 1`,
        )
        drawn.push([boards.get(by), Array.from(table.getChild(sums[0]), Number)])
      }
      return shown(started, drawn)
    },
  }
}

Object.assign(globalThis, { openPeer })
