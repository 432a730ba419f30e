import { FurlongError } from '../../domain/errors.ts'
import { groupedLines, lacksLines, passedOverLines, type ReportBook } from '../drafts/report.ts'
import { errorMessage } from '../process/messages.ts'
import { AUTO } from './formats.ts'
import { rehearse } from './import.ts'
import { ColumnSummaries, type ColumnSummary } from './mapping/column-summary.ts'
import { fieldName } from './mapping/mapped-format.ts'
import { UNFILLED, type MapFile, type Mapping } from './mapping/mapping.ts'
import { knownNames, proposeFor } from './mapping/propose.ts'
import {
  csvFilesAt,
  ENCODINGS,
  openCsv,
  readRows,
  type CsvFile,
  type CsvRow,
  type Encoding,
} from './reading/csv-file.ts'
import { FACTS } from './reading/facts.ts'
import { RowError, type FileKind, type ImportFormat } from './reading/format.ts'
import { formatFor } from './recognise.ts'

/** A field of our layout that is read from a column. */
interface ReadAs {
  field: string
  /** What its samples were read as; `null`: a row of which nothing is needed. */
  samples: (string | null)[]
  /** Cells that are what the mapping says of all words that it does not name. */
  assumed: number
}

interface ExplainedColumn extends Pick<ColumnSummary, 'column' | 'rows' | 'blank' | 'samples'> {
  /** Whether anything is read from it. */
  isRead: boolean
  /** Its cells that cannot be read, or for which their row is rejected. */
  unreadable: number
  /** With a mapping: the fields that it says. */
  readAs: ReadAs[]
}

const plain = ({ column, rows, blank, samples }: ColumnSummary) => ({ column, rows, blank, samples })

interface ExplainedFile {
  file: string
  /** `null`: no format has its columns. */
  kind: string | null
  rows: number
  columns: ExplainedColumn[]
  /** Fields that the mapping says without a column, as `race_status: final`. */
  constants: string[]
}

/** How files are read, or would be. */
export interface Explanation {
  format: string | null
  why: string | null
  files: ExplainedFile[]
  /** What an import into an empty database would reject, store as unknown, and note. */
  lines: string[]
  /** A mapping to edit, for files that no format reads. */
  mapping: Mapping | null
}

const isAbout = (detail: string, name: string): boolean =>
  detail === name || detail.startsWith(`${name}:`) || detail.startsWith(`${name}, `)

/** Looks at what is read of a file. */
class Watcher {
  private readonly file: CsvFile
  private readonly kind: FileKind
  private readonly summaries: ColumnSummaries
  private readonly read = new Set<string>()
  private readonly unreadable = new Map<string, number>()
  private readonly readAs = new Map<string, ReadAs[]>()
  private last = ''

  constructor(file: CsvFile, kind: FileKind) {
    this.file = file
    this.kind = kind
    this.summaries = new ColumnSummaries(file.header)
    for (const { field, column } of kind.fields ?? [])
      if (column !== null) {
        const fields = this.readAs.get(column) ?? []
        this.readAs.set(column, [...fields, { field, samples: [], assumed: 0 }])
      }
  }

  /** The kind, which reads as before and is looked at. */
  watched(): FileKind {
    const { read, complete } = this.kind
    return {
      ...this.kind,
      read: (row, note) => {
        this.add(row)
        try {
          return read(this.seen(row), (problem, detail) => {
            this.fail(detail)
            note(problem, detail)
          })
        } catch (error) {
          if (error instanceof RowError) this.fail(error.message)
          throw error
        }
      },
      complete:
        complete &&
        ((race, rows, note) =>
          complete(
            race,
            rows.map((row) => this.seen(row)),
            note,
          )),
    }
  }

  explained(): ExplainedFile {
    const { columns } = this.summaries
    return {
      file: this.file.name,
      kind: this.kind.name,
      rows: columns[0]?.rows ?? 0,
      columns: columns.map((summary) => ({
        ...plain(summary),
        isRead: this.read.has(summary.column),
        unreadable: this.unreadable.get(summary.column) ?? 0,
        readAs: this.readAs.get(summary.column) ?? [],
      })),
      constants: (this.kind.fields ?? []).flatMap(({ field, column, read }) =>
        column === null ? [`${field}: ${read({}).text || 'unknown'}`] : [],
      ),
    }
  }

  /** A row that tells which of its columns are read. */
  private seen(row: CsvRow): CsvRow {
    return new Proxy(row, {
      get: (_, column) => {
        this.last = String(column)
        this.read.add(this.last)
        return row[this.last]
      },
    })
  }

  /** Counts a cell of the column of the field that is told first; if none is told, of the column that was read last. */
  private fail(detail: string): void {
    const field = this.kind.fields?.find((each) => isAbout(detail, fieldName(each)))
    const column = field === undefined ? this.last : field.column
    if (column !== null) this.unreadable.set(column, (this.unreadable.get(column) ?? 0) + 1)
  }

  private add(row: CsvRow): void {
    const before = new Map(this.summaries.columns.map(({ column, samples }) => [column, samples.length]))
    this.summaries.add(row)
    const sampled = new Set(
      this.summaries.columns.flatMap(({ column, samples }) =>
        samples.length > before.get(column)! ? [column] : [],
      ),
    )
    for (const { field, column, read } of this.kind.fields ?? []) {
      if (column === null) continue
      const as = this.readAs.get(column)!.find((each) => each.field === field)!
      const { text, isAssumed } = read(row)
      if (sampled.has(column)) as.samples.push(text)
      if (isAssumed) as.assumed += 1
    }
  }
}

/** What is rejected of a file without the runners of its races, which may be stored. */
const OF_RUNNERS = new Set(['no-such-race', 'no-such-runner'])

function linesOf(book: ReportBook, hasRunners: boolean): string[] {
  const { rejects, unknown, noted } = book
  return [
    ...passedOverLines(book),
    ...groupedLines(
      'rejected',
      rejects.filter(({ kind }) => hasRunners || !OF_RUNNERS.has(kind)),
    ),
    ...groupedLines('stored as unknown', unknown),
    ...groupedLines('contradicts itself', noted),
  ]
}

/**
 * Explains how files are read, by their format or a mapping, and writes nothing. For files of no format: what their columns are,
 * and a mapping to edit. Throws what `formatFor` and `importFiles` do, but `no-format` and `no-good-row`.
 */
export async function explainFiles(
  paths: readonly string[],
  format: string,
  map: MapFile | null,
): Promise<Explanation> {
  try {
    const chosen = await formatFor(map ?? format, paths)
    return await explainFormat(paths, chosen)
  } catch (error) {
    const isUnknown = error instanceof FurlongError && error.code === 'no-format' && format === AUTO
    if (!isUnknown) throw error
    return propose(paths, error)
  }
}

async function explainFormat(
  paths: readonly string[],
  { format, why }: { format: ImportFormat; why: string | null },
): Promise<Explanation> {
  const watchers: Watcher[] = []
  let hasRunners = false
  let lines: string[]
  try {
    const book = await rehearse(format, paths, (file, kind) => {
      hasRunners ||= kind.raceOf !== undefined
      const watcher = new Watcher(file, kind)
      watchers.push(watcher)
      return watcher.watched()
    })
    lines = [...linesOf(book, hasRunners), ...lacksLines(format.lacks.map((fact) => FACTS[fact]))]
  } catch (error) {
    if (!(error instanceof FurlongError) || error.code !== 'no-good-row') throw error
    lines = [errorMessage('en', error)]
  }
  const files = watchers.map((watcher) => watcher.explained())
  return { format: format.name, why, files, lines, mapping: null }
}

async function propose(paths: readonly string[], refusal: FurlongError): Promise<Explanation> {
  const mapping: Mapping = {}
  const files: ExplainedFile[] = []
  for (const path of paths.flatMap(csvFilesAt)) {
    const { file, encoding } = await openInAnyEncoding(path)
    if (encoding !== 'utf8') mapping.encoding = encoding
    const summaries = new ColumnSummaries(file.header)
    for await (const { row } of readRows(file)) summaries.add(row)
    const { kind, fields } = proposeFor(summaries.columns)
    mapping[kind] ??= fields
    const columns = summaries.columns.map((summary) => ({
      ...plain(summary),
      isRead: false,
      unreadable: 0,
      readAs: [],
    }))
    files.push({ file: file.name, kind: null, rows: columns[0]?.rows ?? 0, columns, constants: [] })
  }
  return { format: null, why: null, files, lines: [errorMessage('en', refusal)], mapping }
}

/** A file in the encoding in which the most of its columns have names that are known; UTF-8 if that makes no difference. */
async function openInAnyEncoding(path: string): Promise<{ file: CsvFile; encoding: Encoding }> {
  const found = await Promise.all(
    ENCODINGS.map(async (encoding) => {
      const file = await openCsv(path, encoding)
      return { file, encoding, known: knownNames(file.header) }
    }),
  )
  return found.toSorted((a, b) => b.known - a.known)[0]!
}

/** Characters that a terminal obeys or does not show, as JSON escapes them. */
const escaped = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    character
      .split('')
      .map((unit) => String.raw`\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  )

/** As much of a longer text as is shown. */
const START = /^.{60}(?=.)/su
const shortened = (text: string): string => {
  const start = START.exec(text)?.[0]
  return start === undefined ? text : `${start}…`
}

const shown = (cell: string | null): string =>
  cell === null ? 'passed over' : cell === '' ? 'blank' : `"${shortened(cell)}"`

function columnLines({
  column,
  rows,
  blank,
  samples,
  isRead,
  unreadable,
  readAs,
}: ExplainedColumn): string[] {
  const counts = [
    blank > 0 && `${blank} of ${rows} blank`,
    unreadable > 0 && `${unreadable} cannot be read`,
    !isRead && 'not read',
  ].filter(Boolean)
  const told = samples.map(shown).join(', ') || 'no cell'
  return [
    `  ${column === '' ? '(no name)' : shortened(column)}: ${[told, ...counts].join('; ')}`,
    ...readAs.map(({ field, samples: own, assumed }) => {
      const rest = assumed > 0 ? `; ${assumed} assumed, as the mapping says of other words` : ''
      return `    → ${field}: ${own.map(shown).join(', ')}${rest}`
    }),
  ]
}

/** An explanation as terminal lines. */
export function explanationLines({ format, why, files, lines, mapping }: Explanation): string[] {
  const isProposal = mapping !== null
  const told = [
    ...(format === null ? [] : [`format ${format}${why === null ? '' : `: ${why}`}`]),
    ...files.flatMap(({ file, kind, rows, columns, constants }) => [
      `${file}${kind === null ? '' : ` (${kind})`}: ${rows} rows, ${columns.length} columns`,
      ...columns.flatMap((column) => columnLines(isProposal ? { ...column, isRead: true } : column)),
      ...constants.map((constant) => `  no column → ${constant}`),
    ]),
    ...lines,
    ...(isProposal
      ? [
          `A mapping to edit: save it as a file, put what you know in place of each "${UNFILLED}", and import with --map FILE.`,
          ...JSON.stringify(mapping, null, 2).split('\n'),
        ]
      : []),
  ]
  return told.map(escaped)
}
