import { FurlongError } from '../../domain/errors.ts'
import { AUTO, FORMATS } from './formats.ts'
import { formatOfMap } from './mapping/mapped-format.ts'
import type { MapFile } from './mapping/mapping.ts'
import { csvFilesAt, openCsv, type CsvFile } from './reading/csv-file.ts'
import type { FileKind, ImportFormat } from './reading/format.ts'

type Header = Pick<CsvFile, 'header' | 'name'>

/** Whether a file has the columns, and the name, of a kind. */
export const isOfKind = (file: Header, kind: FileKind): boolean =>
  missingOf(file, kind).length === 0 && (kind.fileName?.test(file.name) ?? true)

const missingOf = ({ header }: Header, { columns, headless }: FileKind): string[] =>
  headless === undefined
    ? columns.filter((column) => !header.includes(column))
    : [
        ...(header.length === headless.names.length ? [] : [`${headless.names.length} cells, no header`]),
        ...headless.first.flatMap((shape, index) =>
          shape.test(header[index] ?? '') ? [] : [`${headless.names[index]} in cell ${index + 1}`],
        ),
      ]

/** How many things a file of a kind must have. */
const neededOf = ({ columns, headless }: FileKind): number =>
  headless === undefined ? columns.length : 1 + headless.first.length

/** A file as it is read as a kind: the cells of one without a header have the names that the kind gives them. */
export const asKind = (file: CsvFile, { headless }: FileKind): CsvFile =>
  headless === undefined ? file : { ...file, header: [...headless.names], hasHeader: false }

/** Another format that has a kind of this file; `null` if there is none. */
export function otherFormat(file: CsvFile, { name }: ImportFormat): { other: string; kind: string } | null {
  for (const format of Object.values<ImportFormat>(FORMATS)) {
    const kind = format.name === name ? undefined : format.kinds.find((each) => isOfKind(file, each))
    if (kind) return { other: format.name, kind: kind.name }
  }
  return null
}

/** Of a file that is none of these kinds: the two nearest, each with the columns that the file lacks. */
function nearestKinds(file: Header, kinds: readonly { name: string; kind: FileKind }[]): string {
  const nearest = kinds
    .map(({ name, kind }) => {
      const missing = missingOf(file, kind)
      return { name, kind, missing, share: missing.length / neededOf(kind) }
    })
    .toSorted((a, b) => a.share - b.share)
    .slice(0, 2)
  return nearest
    .map(({ name, kind, missing }) => {
      const needed = missing.length > 0 ? missing.join(', ') : `file name with "${kind.fileName?.source}"`
      return `${name}: ${needed}`
    })
    .join('; ')
}

/** Of a file that is no kind of a format: the two nearest kinds, each with the columns that the file lacks. */
export const missingColumns = (file: CsvFile, { kinds }: ImportFormat): string =>
  nearestKinds(
    file,
    kinds.map((kind) => ({ name: kind.name, kind })),
  )

interface FormatKinds {
  format: ImportFormat
  /** The kind of each file within the format; `null` for a file that is none of its kinds. */
  kinds: (FileKind | null)[]
}

/** The kinds of files within each format. A file is opened once for all formats that read it in the same encodings. */
async function kindsOf(paths: readonly string[]): Promise<FormatKinds[]> {
  const formats = Object.values<ImportFormat>(FORMATS).map((format): FormatKinds => ({ format, kinds: [] }))
  for (const path of paths) {
    const opened = new Map<string, CsvFile>()
    let market: CsvFile | null = null
    for (const { format, kinds } of formats) {
      const { encoding, otherwise } = format
      const encodings = `${encoding} ${otherwise}`
      const file: CsvFile = market ?? opened.get(encodings) ?? (await openCsv(path, encoding, otherwise))
      opened.set(encodings, file)
      // What is no table has one encoding.
      if (file.rows !== null) market = file
      kinds.push(format.kinds.find((kind) => isOfKind(file, kind)) ?? null)
    }
  }
  return formats
}

const columnsOf = (kinds: readonly (FileKind | null)[]): number =>
  kinds.reduce((sum, kind) => sum + (kind?.columns.length ?? 0), 0)

function foundBy({ columns, headless, fileName }: FileKind): string {
  if (headless === undefined) return `with ${columns.join(', ')}`
  const names = headless.names.slice(0, headless.first.length).join(', ')
  const named = fileName === undefined ? '' : ` named "${fileName.source}"`
  return `without a header${named}, of ${headless.names.length} cells that begin with ${names}`
}

/** `results: 2 files with placing, lbw_lengths …` for the kinds that were found. */
function foundKinds(kinds: readonly (FileKind | null)[]): string {
  const found = new Set(kinds.flatMap((kind) => kind ?? []))
  return [...found]
    .map((kind) => {
      const files = kinds.filter((each) => each === kind).length
      return `${kind.name}: ${files} ${files === 1 ? 'file' : 'files'} ${foundBy(kind)}`
    })
    .join('; ')
}

/**
 * The format that most of these files, and the files of these folders, have the columns of; of two, that of which they have
 * more columns. `why`: what was found, in English, for the report. Throws `no-format`, `file-missing`, `no-csv-files`.
 */
async function recogniseFormat(paths: readonly string[]): Promise<{ format: ImportFormat; why: string }> {
  const files = paths.flatMap(csvFilesAt)
  const formats = await kindsOf(files)
  const known = ({ kinds }: FormatKinds): number => kinds.filter((kind) => kind !== null).length
  const [best] = formats.toSorted((a, b) => known(b) - known(a) || columnsOf(b.kinds) - columnsOf(a.kinds))
  if (best === undefined || known(best) === 0) {
    const file = await openCsv(files[0]!, 'utf8')
    const all = formats.flatMap(({ format }) =>
      format.kinds.map((kind) => ({ name: `${format.name}, ${kind.name}`, kind })),
    )
    throw new FurlongError('no-format', { file: file.name, missing: nearestKinds(file, all) })
  }
  return {
    format: best.format,
    why: `${known(best)} of ${files.length} files have its columns (${foundKinds(best.kinds)})`,
  }
}

/** The format with a name, or, of `auto`, that of the files with why it is theirs. Throws `bad-arguments`, `no-format`. */
export async function formatNamed(
  name: string,
  paths: readonly string[],
): Promise<{ format: ImportFormat; why: string | null }> {
  if (name === AUTO) return recogniseFormat(paths)
  if (!Object.hasOwn(FORMATS, name)) throw new FurlongError('bad-arguments', { reason: `format: ${name}` })
  return { format: FORMATS[name as keyof typeof FORMATS], why: null }
}

/**
 * The format with a name, or that a mapping makes, with what decided it, in English. Throws what `formatNamed` and `formatOfMap`
 * do.
 */
export const formatFor = (
  chosen: string | MapFile,
  paths: readonly string[],
): Promise<{ format: ImportFormat; why: string | null }> =>
  typeof chosen === 'string' ? formatNamed(chosen, paths) : formatOfMap(chosen, paths)
