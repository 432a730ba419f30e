import { type Column, type Table } from '../../analytics/table.ts'
import { FILE_TABLES } from '../../analytics/tables.ts'

const typeOf = ({ type }: Column): string =>
  typeof type === 'string' ? type : `ENUM (${type.enum.join(', ')})`

const lineOf = ([name, column]: [string, Column]): string =>
  `- \`${name}\` ${typeOf(column)}${column.unit ? `, ${column.unit}` : ''}: ${column.meaning}`

/** The column lists of `docs/data-format.md`, one section per table. */
export function tableDocs(): string {
  const tables = new Map<string, { table: Table; files: string[] }>()
  for (const [file, list] of Object.entries(FILE_TABLES)) {
    for (const table of list) {
      const known = tables.get(table.name) ?? { table, files: [] as string[] }
      known.files.push(`\`${file}\``)
      tables.set(table.name, known)
    }
  }
  return [...tables.values()]
    .map(({ table, files }) =>
      [
        `#### \`${table.name}\` (${files.join(', ')})`,
        '',
        table.meaning,
        '',
        ...Object.entries(table.columns).map(lineOf),
      ].join('\n'),
    )
    .join('\n\n')
}
