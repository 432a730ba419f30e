import { groupBy } from '../../domain/group-by.ts'
import { isConfirmable } from '../../domain/result-check.ts'
import type { WriteCount } from '../db/bulk-upsert.ts'

export interface RejectedRow {
  kind: string
  file: string
  line: number
  detail: string
}

export interface ImportReport {
  format: string
  /** By which it can be undone; `null`: a trial, of which nothing was written. */
  number: number | null
  files: number
  rowsRead: number
  /** Exact copies of an earlier row, by kind of file. */
  duplicates: Record<string, number>
  /** Number of races with a repeated row. */
  racesWithDuplicates: number
  nonStarters: number
  /** Names of the files that have a header only. */
  filesWithoutRows: string[]
  tables: Record<string, WriteCount>
  rejects: RejectedRow[]
  /** Fields that could not be read and were stored as unknown; their rows were kept. */
  unknown: RejectedRow[]
  /** What is stored as it stands in the file, but contradicts itself. */
  noted: RejectedRow[]
  /** What the files say otherwise than is stored, which was kept. */
  differing: RejectedRow[]
  /** Horses that are stored under a brand of another source, and were taken as these. */
  merged: RejectedRow[]
  /** Horses that may be stored already, and were taken as others. */
  leftApart: RejectedRow[]
  /** Rows of which nothing is needed, by what they are. */
  passedOver: Record<string, number>
  /** Why this format was chosen; `null` if it was named. */
  recognised: string | null
  /** What everybody who imports such files has to know; `null` if there is nothing. */
  warning: string | null
  /** What files of this format never say. */
  lacks: string[]
  /** Runners, dividends and results that were stored before and are no longer. */
  removed: RejectedRow[]
  seconds: number
}

/** Kinds of rejects that would remove something stored, and that `--allow-removals` allows. */
export const LOSSES: ReadonlySet<string> = new Set([
  'runners-lost',
  'result-lost',
  'dividends-lost',
  'numbers-changed',
])

/** Collects the counts and rejects of an import for its report. */
export class ReportBook {
  rowsRead = 0
  nonStarters = 0
  readonly filesWithoutRows: string[] = []
  readonly rejects: RejectedRow[] = []
  readonly unknown: RejectedRow[] = []
  readonly noted: RejectedRow[] = []
  readonly differing: RejectedRow[] = []
  readonly merged: RejectedRow[] = []
  readonly leftApart: RejectedRow[] = []
  readonly passedOver: Record<string, number> = {}
  readonly removed: RejectedRow[] = []
  /** Why races were left out; other rows about them are rejected for the same reason. */
  readonly rejectedRaces = new Map<string, RejectedRow>()
  readonly duplicates: Record<string, number> = {}
  readonly racesWithDuplicates = new Set<string>()
  readonly tables: Record<string, WriteCount> = {}

  reject(rejected: RejectedRow): void {
    this.rejects.push(rejected)
  }

  duplicate(kind: string): void {
    this.duplicates[kind] = (this.duplicates[kind] ?? 0) + 1
  }

  /** Returns a function that records what the row at `line` says differently from the stored race, which is kept. */
  differs(file: string, line: number, raceId: string) {
    return (what: string, own: string | number | null, stored: string | number | null): void => {
      const detail = `${raceId} ${what}: ${own}, stored ${stored ?? 'nothing'}`
      this.differing.push({ kind: what.replace(/^\S*\d\S* /, ''), file, line, detail })
    }
  }

  passOver(what: string, count = 1): void {
    if (count > 0) this.passedOver[what] = (this.passedOver[what] ?? 0) + count
  }

  wrote(table: string, count: WriteCount): void {
    const sum = (this.tables[table] ??= { inserted: 0, updated: 0, unchanged: 0 })
    sum.inserted += count.inserted
    sum.updated += count.updated
    sum.unchanged += count.unchanged
  }
}

const EXAMPLES = 3

/** The line that says what files of a format never say. */
export const lacksLines = (lacks: readonly string[]): string[] =>
  lacks.length === 0 ? [] : [`never in such files: ${lacks.join(', ')}`]

/** The report as terminal lines; `--json` lists every reject. */
export function reportLines(report: ImportReport): string[] {
  const lines = [
    ...(report.recognised === null ? [] : [`format ${report.format}: ${report.recognised}`]),
    `${report.format}: ${report.files} files, ${report.rowsRead} rows read in ${report.seconds.toFixed(1)} s`,
    ...numberLines(report),
    ...(report.warning === null ? [] : [`  warning: ${report.warning}`]),
    ...lacksLines(report.lacks).map((line) => `  ${line}`),
  ]
  for (const [table, { inserted, updated, unchanged }] of Object.entries(report.tables)) {
    lines.push(`  ${table}: ${inserted} new, ${updated} changed, ${unchanged} unchanged`)
  }
  for (const [kind, count] of Object.entries(report.duplicates)) {
    lines.push(`  duplicates: ${count} ${kind} rows`)
  }
  if (report.racesWithDuplicates > 0) {
    lines.push(`  duplicates: rows of ${report.racesWithDuplicates} races came more than once`)
  }
  lines.push(...passedOverLines(report))
  lines.push(`  non-starters: ${report.nonStarters}`)
  const bare = report.filesWithoutRows
  if (bare.length > 0) {
    const more = bare.length > EXAMPLES ? ' …' : ''
    lines.push(`  files with a header only: ${bare.length} (${bare.slice(0, EXAMPLES).join(', ')}${more})`)
  }
  lines.push(
    ...groupedLines('rejected', report.rejects),
    ...groupedLines('stored as unknown', report.unknown),
    ...groupedLines('contradicts itself', report.noted),
    ...groupedLines('not what is stored, which was kept', report.differing),
    ...groupedLines('removed', report.removed),
    // The report of a worker of the build before has none.
    ...groupedLines('the same as a stored', report.merged ?? []),
    ...groupedLines('left apart', report.leftApart ?? []),
  )
  const losing = report.rejects.filter(({ kind }) => LOSSES.has(kind)).length
  if (losing > 0)
    lines.push(
      `  ${losing} refused, because they would remove what is stored. If that is meant: --allow-removals`,
    )
  const strange = report.rejects.filter(({ kind }) => isConfirmable(kind)).length
  if (strange > 0)
    lines.push(
      `  ${strange} refused, because they can hardly be true. If they are: --confirm and the race ids`,
    )
  return lines
}

/** Whether anything was written, and how it is taken back, if there is anything to take back. */
function numberLines({ number, tables, removed }: ImportReport): string[] {
  if (number === null) return ['dry run: this is what an import would change. Nothing was written.']
  const hasChanged =
    removed.length > 0 || Object.values(tables).some(({ inserted, updated }) => inserted + updated > 0)
  // The report of a worker of the build before has no number.
  return typeof number === 'number' && hasChanged
    ? [`import ${number}; to take it back: npm run admin -- imports undo ${number}`]
    : []
}

/** How many rows, or parts of rows, there are of which nothing is needed, by what they are. */
export const passedOverLines = ({ passedOver }: Pick<ImportReport, 'passedOver'>): string[] =>
  Object.entries(passedOver).map(([what, count]) => `  passed over: ${count} (${what})`)

/** One line per kind, with its first examples. */
export function groupedLines(title: string, rejects: readonly RejectedRow[]): string[] {
  return [...groupBy(rejects, ({ kind }) => kind)].flatMap(([kind, list]) => [
    `  ${title}: ${list.length} × ${kind}`,
    ...list.slice(0, EXAMPLES).map(({ file, line, detail }) => `    ${file}:${line}  ${detail}`),
    ...(list.length > EXAMPLES ? [`    … and ${list.length - EXAMPLES} more (--json lists all)`] : []),
  ])
}
