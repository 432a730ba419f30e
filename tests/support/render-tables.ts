import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { camelCase } from '../../domain/camel-case.ts'
import type { Queries } from '../../server/db/database.ts'
import { ROOT } from './server-process.ts'

interface ColumnFacts {
  table: string
  column: string
  type: string
  nullable: boolean
  hasDefault: boolean
  /** Definitions of the checks of this column alone. */
  checks: string[]
}

const COLUMNS = `
  select c.relname as table, a.attname as column, t.typname as type, not a.attnotnull as nullable, a.atthasdef as has_default,
    array(select pg_get_constraintdef(k.oid) from pg_constraint k
      where k.conrelid = c.oid and k.contype = 'c' and k.conkey = array[a.attnum]) as checks
  from pg_class c join pg_attribute a on a.attrelid = c.oid join pg_type t on t.oid = a.atttypid
  where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace
    and a.attnum > 0 and not a.attisdropped
  order by c.relname, a.attnum`

/** What the adapters return for a PostgreSQL type. */
const TYPES: Readonly<Record<string, string>> = {
  bool: 'boolean',
  bytea: 'Uint8Array',
  date: 'string',
  float8: 'number',
  int2: 'number',
  int4: 'number',
  int8: 'number',
  json: 'unknown',
  jsonb: 'unknown',
  numeric: 'number',
  text: 'string',
  timestamptz: 'Instant',
  uuid: 'string',
  _text: 'string[]',
}

/** The texts that a check `column in ('a', 'b')` allows, as a union; `null` without such a check. */
function allowedTexts(checks: readonly string[]): string | null {
  for (const check of checks) {
    const list = /^CHECK \(\(\w+ = ANY \(ARRAY\[([^\]]*)\]\)\)\)$/.exec(check)?.[1]
    const texts = list?.split(', ').map((text) => /^'([^']*)'::text$/.exec(text)?.[1])
    if (texts && texts.every((text) => text !== undefined))
      return texts.map((text) => `'${text}'`).join(' | ')
  }
  return null
}

function typeOf({ table, column, type, nullable, hasDefault, checks }: ColumnFacts): string {
  const known = TYPES[type]
  if (known === undefined) throw new Error(`${table}.${column}: no TypeScript type for ${type}`)
  const or = nullable && known !== 'unknown' ? ' | null' : ''
  const read = `${allowedTexts(checks) ?? known}${or}`
  if (hasDefault && type === 'timestamptz') return `Generated${read}`
  return hasDefault ? `Generated<${read}>` : read
}

/** Quoted words of the sources that build statements with Kysely: `'bankCard'`, `'customer as c'`. */
function quotedWords(): Set<string> {
  const folder = join(ROOT, 'server/store')
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .filter((source) => source.includes('db/statement.ts'))
  return new Set(
    sources.flatMap((source) => [...source.matchAll(/'(\w+)(?: as \w+)?'/g)].map(([, word]) => word!)),
  )
}

/** The module `server/db/tables.ts` for those tables of a migrated database that statements of Kysely name. */
export async function renderTables(queries: Queries): Promise<string> {
  const columns = await queries.rows<ColumnFacts>(COLUMNS)
  const words = quotedWords()
  const tables = [...new Set(columns.map(({ table }) => table))].filter((table) =>
    words.has(camelCase(table)),
  )
  const interfaces = tables.map((table) => {
    const own = columns.filter((column) => column.table === table)
    return `  ${camelCase(table)}: {\n${own.map((column) => `    ${camelCase(column.column)}: ${typeOf(column)}\n`).join('')}  }\n`
  })
  const generated = interfaces.some((text) => text.includes('GeneratedInstant'))
    ? 'type GeneratedInstant = ColumnType<string, string | Date | undefined, string | Date>\n'
    : ''
  return `// Written by tests/service/tables.test.ts from the migrations: \`npx vitest run tests/service/tables.test.ts -u\`.
import type { ColumnType, Generated } from 'kysely'

/** Read as ISO 8601 in UTC. */
type Instant = ColumnType<string, string | Date, string | Date>
${generated}
/** The tables that statements of Kysely name, and their columns: what reading returns, what an insert needs and an update takes. */
export interface Tables {
${interfaces.join('')}}
`
}
