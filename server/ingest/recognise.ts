import { FORMATS } from './formats.ts'
import type { CsvFile } from './reading/csv-file.ts'
import type { FileKind, ImportFormat } from './reading/format.ts'

/** Whether a file has the columns, and the name, of a kind. */
export const isOfKind = (file: Pick<CsvFile, 'header' | 'name'>, kind: FileKind): boolean =>
  missingOf(file, kind).length === 0 && (kind.fileName?.test(file.name) ?? true)

const missingOf = ({ header }: Pick<CsvFile, 'header'>, { columns }: FileKind): string[] =>
  columns.filter((column) => !header.includes(column))

/** Another format that has a kind of this file; `null` if there is none. */
export function otherFormat(file: CsvFile, { name }: ImportFormat): { other: string; kind: string } | null {
  for (const format of Object.values<ImportFormat>(FORMATS)) {
    const kind = format.name === name ? undefined : format.kinds.find((each) => isOfKind(file, each))
    if (kind) return { other: format.name, kind: kind.name }
  }
  return null
}

/** Of a file that is no kind of a format: the two nearest kinds, each with the columns that the file lacks. */
export function missingColumns(file: CsvFile, { kinds }: ImportFormat): string {
  const nearest = kinds
    .map((kind) => {
      const missing = missingOf(file, kind)
      return { kind, missing, share: missing.length / kind.columns.length }
    })
    .toSorted((a, b) => a.share - b.share)
    .slice(0, 2)
  return nearest
    .map(({ kind, missing }) => {
      const needed = missing.length > 0 ? missing.join(', ') : `file name with "${kind.fileName?.source}"`
      return `${kind.name}: ${needed}`
    })
    .join('; ')
}
