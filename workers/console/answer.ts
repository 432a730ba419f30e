import { tableFromIPC } from 'apache-arrow'
import {
  CONSOLE_BYTES,
  CONSOLE_ROWS,
  type ConsoleAnswer,
  type NamedStatement,
} from '../../analytics/console-api.ts'
import { FurlongError } from '../../domain/errors.ts'
import { asColumns, asTexts } from './statement.ts'

const TOO_LARGE = `The answer is larger than ${CONSOLE_BYTES / 1_000_000} MB. Choose fewer columns or rows.`

interface Run {
  /** Runs a statement of a few milliseconds. */
  short(sql: string): Promise<Uint8Array>
  /** Runs a statement that may take long. */
  long(sql: string): Promise<Uint8Array<ArrayBuffer>>
}

/**
 * The columns of a single statement with their types, and its first rows as texts; `named`: the statements whose
 * rows it reads under their names. Throws what the runs throw, and
 * `query-failed` above `CONSOLE_BYTES`.
 */
export async function answerOf(
  statement: string,
  run: Run,
  named: readonly NamedStatement[] = [],
): Promise<Omit<ConsoleAnswer, 'milliseconds'>> {
  const described = tableFromIPC(await run.short(asColumns(statement, named)))
  const columns = described.toArray().map((row: Record<string, unknown>) => ({
    name: String(row['column_name']),
    type: String(row['column_type']),
  }))
  const bytes = await run.long(asTexts(statement, columns.length, CONSOLE_ROWS + 1, named))
  if (bytes.length > CONSOLE_BYTES) throw new FurlongError('query-failed', { reason: TOO_LARGE })
  return { columns, bytes }
}
