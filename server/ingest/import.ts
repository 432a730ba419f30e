import { FurlongError } from '../../domain/errors.ts'
import { groupBy } from '../../domain/group-by.ts'
import { regionOfStadium } from '../../domain/region.ts'
import type { Database, Queries } from '../db/database.ts'
import {
  holdsDemonstration,
  removeDemonstration,
  removeDemonstrationInPieces,
} from '../store/racing/demonstration.ts'
import type { Attempt } from '../store/operation/job-store.ts'
import { beginRun, endRun, logChangesOf, type ImportedFiles } from '../store/operation/import-log.ts'
import { readAliases, readNamedHorses, readRuns } from '../store/racing/horse-alias-store.ts'
import { beginPieces, endPieces, markPiece } from '../store/operation/pieces-store.ts'
import {
  readDrafts,
  readFields,
  readNames,
  readOddsTimes,
  readPoolLines,
} from '../store/racing/race-draft-store.ts'
import { numberedAmong } from '../store/racing/racing-statements.ts'
import { readSignatures, Twins } from '../store/racing/race-signature.ts'
import { RacingWriter, waitForWriters } from '../store/racing/racing-writer.ts'
import { csvFilesAt, openCsv, type CsvFile } from './reading/csv-file.ts'
import type { DraftWriter } from './reading/draft-writer.ts'
import { FACTS } from './reading/facts.ts'
import { FileReader } from './reading/file-reader.ts'
import { readJoins } from './reading/join-rows.ts'
import { KnownHorses } from './reading/known-horses.ts'
import { learnNames } from './reading/people-names.ts'
import { asKind, isOfKind, missingColumns, otherFormat } from './recognise.ts'
import type { FileKind, ImportFormat } from './reading/format.ts'
import type { RaceDraft } from '../drafts/drafts.ts'
import { placesOf, type RaceField } from '../drafts/race-field.ts'
import { ReportBook, type ImportReport } from '../drafts/report.ts'

interface ImportProgress {
  file: string
  rows: number
  bytesDone: number
  bytesTotal: number
  /** `null` until it can be estimated. */
  secondsLeft: number | null
}

/** How far an import is, in words for whoever waits for it. */
export function progressText({ file, rows, bytesDone, bytesTotal, secondsLeft }: ImportProgress): string {
  const percent = Math.floor((100 * bytesDone) / bytesTotal)
  const left = secondsLeft === null ? '' : `, about ${Math.ceil(secondsLeft)} s left`
  return `${file}: ${rows} rows, ${percent}%${left}`
}

export interface ImportRequest {
  format: ImportFormat
  /** Why the format was chosen, unless somebody named it. */
  recognised?: string | null
  paths: readonly string[]
  /**
   * Removes the demonstration season before anything is written; otherwise the import is refused while one is
   * present.
   */
  replaceDemonstration: boolean
  /** Whether races may lose runners, dividends and results that are stored; otherwise such a race is refused. */
  allowRemovals?: boolean
  /** Ids of races that did have the strange result that the files say. */
  confirmed?: readonly string[]
  /** Whether everything is read, checked and written as ever, in a transaction that is then rolled back. */
  dryRun?: boolean
  /** The attempt at a job that this is; without one, nothing can cancel it. */
  attempt?: Attempt
  onProgress?: (progress: ImportProgress) => void
}

/**
 * Imports files of one format in one transaction. A server that has the embedded database open answers no request
 * during a transaction: through it, files are first read to their end without writing anything, and then written in
 * pieces, which a repeated import completes after an interruption. Throws `file-missing`, `file-unreadable`,
 * `file-needed`, `not-this-format`, `other-format`, `no-csv-files`, `no-good-row`, `demonstration-present`, and has then
 * written nothing; `server-in-the-way` for a dry run through a server, which could answer nobody until its end.
 */
export async function importFiles(database: Database, request: ImportRequest): Promise<ImportReport> {
  const started = Date.now()
  if (request.dryRun && database.shared) throw new FurlongError('server-in-the-way')
  const { files, empty } = await knownFiles(request.format, request.paths)
  const bytes = files.reduce((sum, { file }) => sum + file.bytes, 0)
  if (!request.replaceDemonstration && (await holdsDemonstration(database))) {
    throw new FurlongError('demonstration-present')
  }
  const write = request.dryRun ? writeNothing : database.shared ? writeInPieces : writeAtOnce
  const { book, number } = await write(database, { ...request, files, bytes })
  return {
    format: request.format.name,
    number,
    files: files.length,
    rowsRead: book.rowsRead,
    duplicates: book.duplicates,
    racesWithDuplicates: book.racesWithDuplicates.size,
    nonStarters: book.nonStarters,
    filesWithoutRows: [...empty, ...book.filesWithoutRows],
    tables: book.tables,
    rejects: book.rejects,
    unknown: book.unknown,
    noted: book.noted,
    differing: book.differing,
    merged: book.merged,
    leftApart: book.leftApart,
    passedOver: book.passedOver,
    recognised: request.recognised ?? null,
    warning: request.format.warning ?? null,
    lacks: request.format.lacks.map((fact) => FACTS[fact]),
    removed: book.removed,
    seconds: (Date.now() - started) / 1000,
  }
}

interface Import extends ImportRequest {
  files: readonly { file: CsvFile; kind: FileKind }[]
  /** Of all files together. */
  bytes: number
}

/** What an import has done, and its number. */
interface Written {
  book: ReportBook
  number: number | null
}

function writeAtOnce(database: Database, request: Import): Promise<Written> {
  // Everything is created inside, because PostgreSQL may roll the transaction back and run it again from the start.
  return database.transaction(async (transaction) => {
    // What is being written to the demonstration must be removed with it.
    await waitForWriters(transaction)
    await removeDemonstration(transaction)
    const number = await beginRun(transaction, runOf(request), new Date())
    await logChangesOf(transaction, number)
    const book = await writeAll(transaction, request)
    // Of these files, some may have been written in pieces before.
    await endPieces(transaction, filesOf(request))
    await endRun(transaction, number, book.tables, new Date())
    return { book, number }
  })
}

/** Ends the transaction of a dry run. */
class RolledBack extends Error {
  readonly book: ReportBook

  constructor(book: ReportBook) {
    super('rolled back')
    this.book = book
  }
}

async function writeNothing(database: Database, request: Import): Promise<Written> {
  try {
    return await database.transaction(async (transaction) => {
      await waitForWriters(transaction)
      await removeDemonstration(transaction)
      throw new RolledBack(await writeAll(transaction, request))
    })
  } catch (error) {
    if (error instanceof RolledBack) return { book: error.book, number: null }
    throw error
  }
}

async function writeAll(transaction: Queries, request: Import): Promise<ReportBook> {
  const book = new ReportBook()
  const writer = await RacingWriter.open(transaction, book)
  await write(writer, book, request, progressOf(request, request.bytes)(0))
  return book
}

async function writeInPieces(database: Database, request: Import): Promise<Written> {
  const own = filesOf(request)
  const progress = progressOf(request, (1 + WRITING) * request.bytes)
  // A demonstration is removed before anything is written.
  const isReplacing = await holdsDemonstration(database)
  const stored = isReplacing ? [] : await database.rows<{ id: string }>('select id from race')
  const twins = new Twins(async () => (isReplacing ? new Map<string, string>() : readSignatures(database)))
  const writing = rehearsal(isReplacing ? null : database, new Set(stored.map(({ id }) => id)), twins)
  await readAll(writing, new ReportBook(), request, progress(0))
  const number = await database.transaction(async (queries) => {
    await beginPieces(queries, own, request.attempt ?? null)
    return beginRun(queries, runOf(request), new Date())
  })
  await removeDemonstrationInPieces(database, (queries) => markPiece(queries, own))
  const book = new ReportBook()
  const writer = await RacingWriter.openInPieces(database, book, { own, run: number, twins })
  await write(writer, book, request, progress(request.bytes, WRITING))
  await database.transaction(async (queries) => {
    // Together: an import that is no longer being written can be undone.
    await endPieces(queries, own)
    await endRun(queries, number, book.tables, new Date())
  })
  return { book, number }
}

/**
 * Takes drafts without writing them, so that files can be read to their end before anything is written. `database`:
 * where races are stored; `null` if there will be none.
 */
function rehearsal(database: Database | null, stored: ReadonlySet<string>, twins: Twins): DraftWriter {
  const written = new Map<string, RaceField>()
  const nothing = async (): Promise<void> => {}
  return {
    hasRace: (raceId) => stored.has(raceId) || written.has(raceId),
    wrote: (raceId) => written.has(raceId),
    twinOf: (race) => twins.of(race),
    async fieldsOf(raceIds) {
      const others = raceIds.filter((id) => !written.has(id))
      const fields = database === null ? new Map<string, RaceField>() : await readFields(database, others)
      for (const id of raceIds) if (written.has(id)) fields.set(id, written.get(id)!)
      return fields
    },
    linesOf: async (raceIds) => (database === null ? [] : readPoolLines(database, raceIds)),
    oddsTimesOf: async (raceIds) => (database === null ? [] : readOddsTimes(database, raceIds)),
    draftsOf: async (raceIds) => (database === null ? new Map() : readDrafts(database, raceIds)),
    numberedAmong: async (raceIds) =>
      database === null || raceIds.length === 0 ? [] : numberedAmong(database, raceIds),
    dropNumbered: nothing,
    namesOf: async ({ id }) => (database === null ? NO_STORED_NAMES : readNames(database, id)),
    aliases: async () => (database === null ? [] : readAliases(database)),
    horsesOf: async (regionId) => (database === null ? [] : readNamedHorses(database, regionId)),
    runsOf: async (...asked) => (database === null ? [] : readRuns(database, ...asked)),
    writeAliases: nothing,
    writeRaces: async (races) => races.forEach((race) => written.set(race.id, fieldOf(race))),
    writeHorses: nothing,
    writePeople: nothing,
    writeDividends: nothing,
    writeOddsTicks: nothing,
    writeForm: nothing,
    writeSections: nothing,
    writeRaceNames: nothing,
  }
}

const NO_STORED_NAMES = { jockey: [], trainer: [], horses: new Map<string, string>() }

function fieldOf(race: RaceDraft): RaceField {
  const { id, stadiumId, date, startsAt, status, numbersByName, runners } = race
  const places = placesOf(race, runners)
  const kept = runners.map(({ brand, horseNo, entryNo, status: state, place, finishTimeMs }) => ({
    brand,
    horseNo,
    entryNo,
    status: state,
    place,
    finishTimeMs,
  }))
  return { id, stadiumId, date, startsAt, status, numbersByName, places, runners: kept }
}

/**
 * Reads files as an import into an empty database does, and writes nothing. `watch` returns a kind that also looks at what is
 * read of a file. Throws what `importFiles` does.
 */
export async function rehearse(
  format: ImportFormat,
  paths: readonly string[],
  watch: (file: CsvFile, kind: FileKind) => FileKind,
): Promise<ReportBook> {
  const known = await knownFiles(format, paths)
  const files = known.files.map(({ file, kind }) => ({ file, kind: watch(file, kind) }))
  const book = new ReportBook()
  const twins = new Twins(async () => new Map<string, string>())
  await readAll(rehearsal(null, new Set(), twins), book, { files, format }, () => {})
  return book
}

/** How much longer a file takes to write than to read. */
const WRITING = 4

const filesOf = ({ paths }: ImportRequest): ImportedFiles => ({ paths })
const runOf = ({ format, paths }: ImportRequest): { format: string; paths: readonly string[] } => ({
  format: format.name,
  paths,
})

type Progress = (file: CsvFile, book: ReportBook, bytesDone: number) => void

/**
 * Progress of one of two passes over the files: `bytesBefore` of `bytesTotal` were done before it, and each byte counts
 * `weight`.
 */
function progressOf(
  request: ImportRequest,
  bytesTotal: number,
): (bytesBefore: number, weight?: number) => Progress {
  const started = Date.now()
  return (bytesBefore, weight = 1) =>
    (file, book, done) => {
      const bytesDone = bytesBefore + weight * done
      const elapsed = (Date.now() - started) / 1000
      const secondsLeft = bytesDone === 0 ? null : (elapsed * (bytesTotal - bytesDone)) / bytesDone
      request.onProgress?.({ file: file.name, rows: book.rowsRead, bytesDone, bytesTotal, secondsLeft })
    }
}

async function write(
  writer: RacingWriter,
  book: ReportBook,
  request: Import,
  progress: Progress,
): Promise<void> {
  const { region, stadiums } = request.format
  const byRegion = groupBy(stadiums, ({ id }) => regionOfStadium(id) ?? region)
  for (const [of, own] of byRegion) await writer.place(of, own)
  await readAll(writer, book, request, progress)
  if (request.files.some(({ kind }) => kind.name === 'form' || kind.name.endsWith('results')))
    await writer.joinForm(region)
  await writer.finish()
}

async function readAll(
  writer: DraftWriter,
  book: ReportBook,
  {
    files,
    format,
    allowRemovals = false,
    confirmed = [],
  }: Pick<Import, 'files' | 'format' | 'allowRemovals' | 'confirmed'>,
  progress: Progress,
): Promise<void> {
  let bytesBefore = 0
  const rules = {
    allowRemovals,
    confirmed: new Set(confirmed),
    tolerated: format.tolerated,
    now: new Date(),
  }
  const join = await readJoins(format, files, writer)
  const names = await learnNames(writer, format, files, join)
  const horses = await KnownHorses.open(writer, format)
  for (const { file, kind } of files) {
    const reader = new FileReader(format, kind, { writer, book, rules, names, horses, join })
    await reader.read(file, (bytes) => progress(file, book, bytesBefore + bytes))
    bytesBefore += file.bytes
  }
}

/**
 * Opens every named file, and those of a named folder; each must be of a kind in the format. `empty`: the names of those that have
 * nothing to say, and no columns.
 */
async function knownFiles(
  format: ImportFormat,
  paths: readonly string[],
): Promise<{ files: Import['files']; empty: string[] }> {
  const known: Import['files'][number][] = []
  const empty: string[] = []
  for (const path of paths.flatMap(csvFilesAt)) {
    const file = await openCsv(path, format.encoding, format.otherwise)
    if (file.header.length === 0 && format.kinds.some(({ fileName }) => fileName?.test(file.name))) {
      empty.push(file.name)
      continue
    }
    const kind = kindOf(file, format)
    known.push({ file: asKind(file, kind), kind })
  }
  const files = known.toSorted(
    (a, b) => a.kind.order - b.kind.order || a.file.path.localeCompare(b.file.path),
  )
  return { files, empty }
}

/** Throws `not-this-format` with the columns that are missing, `other-format`, or `file-unreadable`. */
function kindOf(file: CsvFile, format: ImportFormat): FileKind {
  const kind = format.kinds.find((each) => isOfKind(file, each))
  if (!kind) {
    const details = { file: file.name, format: format.name }
    const found = otherFormat(file, format)
    if (found !== null) throw new FurlongError('other-format', { ...details, ...found })
    const kinds = format.kinds.map(({ name }) => name).join(', ')
    throw new FurlongError('not-this-format', { ...details, kinds, missing: missingColumns(file, format) })
  }
  if (kind.headless !== undefined) return kind
  const twice = file.header.find((column, index) => column !== '' && file.header.indexOf(column) !== index)
  if (twice !== undefined) {
    throw new FurlongError('file-unreadable', { file: file.name, reason: `line 1: two columns "${twice}"` })
  }
  return kind
}
