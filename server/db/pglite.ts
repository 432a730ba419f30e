import { statfsSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { PGlite, type Transaction } from '@electric-sql/pglite'
import { FurlongError } from '../../domain/errors.ts'
import { readAnswersFast } from './embedded/answer-reader.ts'
import { diskError } from './disk-error.ts'
import type { EmbeddedDatabase, Queries } from './database.ts'
import { lockFolder, makeContentPrivate, makePrivateFolder } from './folder-lock.ts'
import { CELL_PARSERS, queriesOver } from './named-rows.ts'

const queriesOf = (source: PGlite | Transaction): Queries =>
  queriesOver((sql, parameters) =>
    source.query<unknown[]>(sql, parameters, { rowMode: 'array', parsers: CELL_PARSERS }),
  )

/** Minimum free disk space, in bytes, that the database needs to write its own files. */
const LEAST_FREE_BYTES = 20_000_000

/** PostgreSQL's usual buffers, with which readers beside an import of ten seasons were measured. */
export const SERVING_BUFFERS_MB = 128
/**
 * PGlite clears its buffers at each start, which for 128 MB took two fifths of the time of opening a database. An import of
 * four seasons and reads of single races took as long with 16 MB: the operating system keeps the files in memory too.
 */
const BUFFERS_MB = 16

/** Arguments with which PGlite starts PostgreSQL. */
export const startParameters = (buffersMb = BUFFERS_MB): string[] => [
  ...PGlite.defaultStartParams,
  '-c',
  `shared_buffers=${buffersMb}MB`,
]

function isDiskFull(folder: string): boolean {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize < LEAST_FREE_BYTES
}

/**
 * Opens the embedded database in `folder`, or in memory for `null`, with buffers of `buffersMb` megabytes. Throws
 * `disk-full`, and `database-locked` while another process has the folder open: two processes on one folder would
 * silently lose writes.
 */
export async function openPglite(folder: string | null, buffersMb?: number): Promise<EmbeddedDatabase> {
  if (folder !== null) {
    makePrivateFolder(dirname(folder))
    makePrivateFolder(folder)
  }
  const unlock = folder === null ? () => {} : lockFolder(folder)
  try {
    const pglite = await PGlite.create({
      ...(folder === null ? {} : { dataDir: folder }),
      startParams: startParameters(buffersMb),
    })
    readAnswersFast(pglite)
    if (folder !== null) makeContentPrivate(folder)
    const queries = queriesOf(pglite)
    const withDiskError = async <Result>(run: () => Promise<Result>): Promise<Result> => {
      try {
        return await run()
      } catch (error) {
        throw folder === null ? error : diskError(error, folder)
      }
    }
    return {
      kind: 'pglite',
      rows: (sql, parameters) => withDiskError(() => queries.rows(sql, parameters)),
      transaction: (work) =>
        withDiskError(() => pglite.transaction((transaction) => work(queriesOf(transaction)))),
      script: async (sql) => void (await pglite.exec(sql)),
      dump: async (file) => {
        await pglite.exec('checkpoint')
        // PGlite runs no statement while it reads the files.
        const archive = await pglite.dumpDataDir('gzip')
        writeFileSync(file, Buffer.from(await archive.arrayBuffer()), { mode: 0o600, flag: 'wx' })
      },
      close: async () => {
        await pglite.close()
        if (folder !== null) makeContentPrivate(folder)
        unlock()
      },
    }
  } catch (error) {
    unlock()
    if (folder !== null && isDiskFull(folder))
      throw new FurlongError('disk-full', { folder }, { cause: error })
    throw error
  }
}
