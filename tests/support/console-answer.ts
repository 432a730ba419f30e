import { readConsoleRows, type ConsoleRows } from '../../src/data/analytics/console-rows.ts'
import { answerOf } from '../../workers/console/answer.ts'
import { statementOf } from '../../workers/console/statement.ts'
import { runShortSql, runSql } from '../../workers/engine/run-sql.ts'
import type { BareWasm } from './wasm-engine.ts'

/** The rows of a statement as the console reads them, from the engine of the browser. */
export async function consoleRows({ duckdb }: Pick<BareWasm, 'duckdb'>, sql: string): Promise<ConsoleRows> {
  const answer = await answerOf(statementOf(sql), {
    short: (statement) => runShortSql(duckdb, statement),
    long: (statement) => runSql(duckdb, statement),
  })
  return readConsoleRows({ ...answer, milliseconds: 0 })
}
