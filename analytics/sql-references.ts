import { sqlTokens, type SqlToken } from './sql-tokens.ts'

/** After these words a table's name is expected. */
const BEFORE_TABLE = new Set(['from', 'join', 'table', 'summarize', 'describe', 'show', 'pivot', 'unpivot'])
/** Words between them and the name. */
const BETWEEN = new Set(['lateral', 'only'])
/** Words that end a list of tables. */
const AFTER_TABLES = new Set(
  'select where group order having limit offset qualify window union except intersect values set'.split(' '),
)
/** Words after a table, to which a comma can join another one. */
const AFTER_TABLE = new Set(['as', 'on', 'using', 'sample', 'tablesample'])
/** Functions with a FROM of their own. */
const WITH_FROM = new Set(['extract', 'substring', 'trim', 'overlay', 'position'])

/** What is in one pair of brackets, or outside all of them. */
interface Level {
  /** Whether a comma precedes another table. */
  inTables: boolean
  /** Whether a name begins a query of WITH. */
  inWith: boolean
  /** Whether FROM precedes an argument of a function. */
  isArguments: boolean
}

const wordOf = (token: SqlToken | undefined): string =>
  token?.kind === 'word' ? token.text.toLowerCase() : ''

/** The name that a token is, in lower case, because names of tables are not sensitive to case; `null` for another token. */
function nameIn(token: SqlToken): string | null {
  if (token.kind === 'word') return token.text.toLowerCase()
  return token.kind === 'quoted-name' ? token.text.slice(1, -1).replaceAll('""', '"').toLowerCase() : null
}

const newLevel = (inTables: boolean, isArguments: boolean): Level => ({
  inTables,
  inWith: false,
  isArguments,
})

/** Reads a statement token by token. */
class TableNames {
  readonly tables = new Set<string>()
  readonly own = new Set<string>()
  private readonly levels = [newLevel(false, false)]
  private expected = false
  private readonly tokens: readonly SqlToken[]

  constructor(sql: string) {
    this.tokens = sqlTokens(sql).filter(({ kind }) => kind !== 'comment' && kind !== 'blank')
    for (const at of this.tokens.keys()) this.read(at)
  }

  private get level(): Level {
    return this.levels.at(-1)!
  }

  private read(at: number): void {
    const token = this.tokens[at]!
    if (token.kind === 'sign') this.readSign(token.text, at)
    else if (token.kind === 'word' && this.isKeyword(at)) return
    else this.readName(token, at)
  }

  private readSign(sign: string, at: number): void {
    if (sign === '(') {
      this.levels.push(newLevel(this.expected, WITH_FROM.has(wordOf(this.tokens[at - 1]))))
    } else if (sign === ')') {
      if (this.levels.length > 1) this.levels.pop()
      this.expected = false
    } else {
      this.expected = sign === ',' && this.level.inTables
    }
  }

  private isKeyword(at: number): boolean {
    const word = wordOf(this.tokens[at])
    if (BETWEEN.has(word)) return this.expected
    if (word === 'with' || word === 'recursive') {
      this.level.inWith = true
      return true
    }
    if (BEFORE_TABLE.has(word)) {
      const isOther = this.level.isArguments || wordOf(this.tokens[at - 1]) === 'distinct'
      if (word === 'from' && isOther) return true
      this.level.inTables = true
      this.expected = true
      this.level.inWith = false
      return true
    }
    const isEnd = AFTER_TABLES.has(word)
    if (!isEnd && !AFTER_TABLE.has(word)) return false
    if (isEnd) Object.assign(this.level, { inTables: false, inWith: false })
    this.expected = false
    return true
  }

  private readName(token: SqlToken, at: number): void {
    const name = nameIn(token)
    const { expected } = this
    this.expected = false
    if (name === null) return
    const next = this.tokens[at + 1]?.text
    const before = this.tokens[at - 1]
    if (this.level.inWith && (before?.text === ',' || ['with', 'recursive'].includes(wordOf(before))))
      this.own.add(name)
    // A name before a point is that of a schema or a file, one before a bracket a function.
    else if (expected && next !== '.' && next !== '(') this.tables.add(name)
  }
}

/**
 * The names, in lower case, of the tables that a statement reads, without the queries of its own WITH.
 *
 * ```ts
 * tablesIn('WITH a AS (FROM race) SELECT odds FROM a JOIN "Draws" d USING (k), starter') // => ['race', 'draws', 'starter']
 * ```
 */
export function tablesIn(sql: string): string[] {
  const { tables, own } = new TableNames(sql)
  return [...tables].filter((name) => !own.has(name))
}
