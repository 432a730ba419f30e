/**
 * Parameters of a statement: `$name` outside of strings and comments. Their values stand in the statement itself, one
 * comment line each, `-- $name = 10`, so that a saved or shared statement has them.
 */

const TOKENS =
  /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\/|\$(\w*)\$[\s\S]*?\$\1\$|\$([a-z_]\w*)/gi
const VALUE = /^--\s*\$([a-z_]\w*)\s*= ?(.*)$/gim
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i

export interface Parameter {
  name: string
  /** As it is written; empty where there is none yet. */
  value: string
}

/** The parameters of a statement in the order of their first use. */
export function parametersOf(sql: string): Parameter[] {
  const names = [...sql.matchAll(TOKENS)].flatMap((token) => (token[2] === undefined ? [] : [token[2]]))
  const values = new Map([...sql.matchAll(VALUE)].map((line) => [line[1]!, line[2]!]))
  return [...new Set(names)].map((name) => ({ name, value: values.get(name) ?? '' }))
}

/** The statement with the value of a parameter changed, or put on a line before it. */
export function withParameter(sql: string, name: string, value: string): string {
  const line = `-- $${name} = ${value.replaceAll(/[\r\n]/g, ' ')}`
  const known = [...sql.matchAll(VALUE)].find((each) => each[1] === name)
  return known === undefined
    ? `${line}\n${sql}`
    : sql.slice(0, known.index) + line + sql.slice(known.index + known[0].length)
}

/** The statement with the values in their places, lines as they were: a number as it is, anything else as a text. */
export function withValues(sql: string): string {
  const values = new Map(parametersOf(sql).map(({ name, value }) => [name, value]))
  return sql.replaceAll(TOKENS, (token: string, _tag: string | undefined, name: string | undefined) => {
    const value = name === undefined ? undefined : values.get(name)
    if (value === undefined || value.trim() === '') return token
    // In brackets: a minus behind another would begin a comment.
    return NUMBER.test(value.trim()) ? `(${value.trim()})` : `'${value.replaceAll("'", "''")}'`
  })
}
