import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'

/** Smaller tables are cheaper to scan than to read through an index, and do not grow with customers or races. */
const SMALL_TABLE = 20_000

/** Settings of a server whose query plans are examined. */
export const PLANS_CONFIGURATION = {
  shared_preload_libraries: 'auto_explain',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_timing': 'off',
  'auto_explain.log_nested_statements': 'on',
  'auto_explain.log_format': 'json',
  logging_collector: 'on',
  log_destination: 'jsonlog',
  log_directory: 'log',
  log_rotation_size: '0',
}

/** Starts or stops logging every statement's plan. */
export async function logPlans(url: string, on: boolean): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  await client.query(`alter system set auto_explain.log_min_duration = ${on ? 0 : -1}`)
  await client.query('select pg_reload_conf()')
  await client.end()
}

interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Index Cond'?: string
  'Actual Rows'?: number
  'Actual Loops'?: number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Plans?: PlanNode[]
}

/** Statistics of one statement over all its runs. */
export interface Statement {
  text: string
  times: number
  longestMs: number
  /** Full scans of a growing table or an index: `table (rows)`. */
  wholeReads: string[]
  /** Rows read by its longest run, including rows discarded by filters. */
  rowsRead: number
}

const rowsOf = (node: PlanNode): number =>
  ((node['Actual Rows'] ?? 0) +
    (node['Rows Removed by Filter'] ?? 0) +
    (node['Rows Removed by Index Recheck'] ?? 0)) *
  (node['Actual Loops'] ?? 1)

function* nodesOf(node: PlanNode): Generator<PlanNode> {
  yield node
  for (const child of node.Plans ?? []) yield* nodesOf(child)
}

/**
 * Whether a node reads a table or an index from one end, possibly until enough rows are found. A sequential scan that
 * was planned but never executed does not count.
 */
const isWholeRead = (node: PlanNode): boolean =>
  (node['Node Type'] === 'Seq Scan' && node['Actual Loops'] !== 0) ||
  (/^(Index|Index Only|Bitmap Index) Scan$/.test(node['Node Type']) && node['Index Cond'] === undefined)

/**
 * The statements whose plans were logged, longest first. A read without a condition through an index that ends early,
 * such as `order by … limit`, counts as a full read only if it read more rows than a small table has.
 */
export async function readPlans(data: string, url: string): Promise<Statement[]> {
  const client = new pg.Client(url)
  await client.connect()
  const { rows } = await client.query<{ name: string; rows: number }>(
    `select relname as name, reltuples::float8 as rows from pg_class where relkind = 'r'`,
  )
  await client.end()
  const sizes = new Map(rows.map(({ name, rows: count }) => [name, count]))
  const statements = new Map<string, Statement>()
  for (const name of readdirSync(join(data, 'log')).filter((each) => each.endsWith('.json')))
    for (const line of readFileSync(join(data, 'log', name), 'utf8').split('\n'))
      take(line, sizes, statements)
  return [...statements.values()].toSorted((a, b) => b.longestMs - a.longestMs)
}

function take(line: string, sizes: ReadonlyMap<string, number>, statements: Map<string, Statement>): void {
  if (line === '') return
  const { message = '' } = JSON.parse(line) as { message?: string }
  const found = /^duration: ([\d.]+) ms {2}plan:\n([\s\S]+)$/.exec(message)
  if (!found) return
  const { 'Query Text': query, Plan: plan } = JSON.parse(found[2]!) as {
    'Query Text': string
    Plan: PlanNode
  }
  const text = query.replaceAll(/\s+/g, ' ').trim()
  const statement = statements.get(text) ?? { text, times: 0, longestMs: 0, wholeReads: [], rowsRead: 0 }
  statements.set(text, statement)
  statement.times += 1
  const nodes = [...nodesOf(plan)]
  const ms = Number(found[1])
  if (ms >= statement.longestMs) {
    statement.longestMs = ms
    statement.rowsRead = nodes.filter((node) => !node.Plans).reduce((sum, node) => sum + rowsOf(node), 0)
  }
  for (const node of nodes) {
    const table = node['Relation Name'] ?? node['Index Name'] ?? ''
    if (!isWholeRead(node)) continue
    const rows = sizes.get(table) ?? 0
    const whole = node['Node Type'] === 'Seq Scan' ? rows > SMALL_TABLE : rowsOf(node) > SMALL_TABLE
    const read = `${node['Node Type']} ${table} (${rowsOf(node)} of ${rows})`
    if (whole && !statement.wholeReads.some((one) => one.startsWith(`${node['Node Type']} ${table} `)))
      statement.wholeReads.push(read)
  }
}
