import { tableFromIPC, type Vector } from 'apache-arrow'
import { FurlongError } from '../../domain/errors.ts'

/** Reads a page of rows: how many it has, and its columns by name. `column` throws `query-failed` for one that it lacks. */
export function readPage(bytes: Uint8Array): { rows: number; column(name: string): Vector } {
  const table = tableFromIPC(bytes)
  return {
    rows: table.numRows,
    column: (name) => {
      const found = table.getChild(name)
      if (!found) throw new FurlongError('query-failed', { reason: `no column ${name}` })
      return found
    },
  }
}
