import { FurlongError } from '../domain/errors.ts'
import { fieldsOf } from './check.ts'
import { dimensionsOf } from './filter.ts'
import { MODELS, type ModelName } from './models.ts'
import type { Model } from './model.ts'
import { requireBetTypes } from './plan.ts'
import { checkRows, columnSql, FIELDS, rowOrder, rowsFrom, type RowsRequest } from './rows.ts'
import type { Access } from './source.ts'
import { identifier, text } from './sql.ts'

/** Every row of a question as CSV, in the reader's words. */
export interface ExportRequest {
  rows: Omit<RowsRequest, 'offset' | 'limit'>
  language: 'en' | 'hant' | 'hans'
  /** Headings by column. */
  headings: Record<string, string>
  /** Words for the values of a column, `{ outcome: { hit: 'Hit' } }`. */
  words: Record<string, Record<string, string>>
}

const bad = (reason: string): FurlongError => new FurlongError('bad-parameters', { reason })

/** A request from outside. Throws `bad-parameters`. */
export function checkExport(value: unknown): ExportRequest {
  const fields = fieldsOf(value, 'export', ['rows', 'language', 'headings', 'words'])
  const { offset: _offset, limit: _limit, ...rows } = checkRows(fields['rows'])
  const language = (['en', 'hant', 'hans'] as const).find((each) => each === fields['language'])
  if (!language) throw bad('language')
  const headings = textsOf(fields['headings'], 'headings')
  const missing = rows.columns.find((column) => headings[column] === undefined)
  if (missing !== undefined) throw bad(`headings.${missing}`)
  const words = Object.fromEntries(
    Object.entries(fieldsOf(fields['words'], 'words')).map(([column, texts]) => [
      column,
      textsOf(texts, `words.${column}`),
    ]),
  )
  return { rows, language, headings, words }
}

function textsOf(value: unknown, of: string): Record<string, string> {
  const fields = Object.entries(fieldsOf(value, of))
  if (fields.length > 200) throw bad(`${of}: too many`)
  return Object.fromEntries(
    fields.map(([key, word]) => {
      if (typeof word !== 'string' || word.length > 100) throw bad(`${of}.${key.slice(0, 40)}`)
      return [key, word]
    }),
  )
}

/** A spreadsheet would run a cell that begins so as a formula. */
const guarded = (sql: string): string =>
  `CASE WHEN regexp_matches(${sql}, '^[=+\\-@\\t\\r]') THEN '''' || ${sql} ELSE ${sql} END`

/** The statement for `COPY`. */
export function exportSql({ rows, language, headings, words }: ExportRequest, access: Access): string {
  const name: ModelName = rows.model
  const model: Model = MODELS[name]
  requireBetTypes(model, dimensionsOf(rows.where), rows.where)
  const own = rows.columns
    .map((column, index) => {
      const sql = cellSql(name, model, column, index, language, words[column])
      return `${sql} AS ${identifier(headings[column]!)}`
    })
    .join(', ')
  return rowsFrom(name, model, rows, access, rowOrder(name, model, rows.sort), null).replace(
    '{selected}',
    () => own,
  )
}

function cellSql(
  name: ModelName,
  model: Model,
  column: string,
  index: number,
  language: ExportRequest['language'],
  words: Record<string, string> | undefined,
): string {
  const field = FIELDS[name][column]
  if (column === 'combination') return `'[' || ${field!.sql} || ']'`
  if (column === 'result') return `CASE WHEN ${field!.sql} IS NOT NULL THEN '[' || ${field!.sql} || ']' END`
  if (field?.unit === 'cents')
    return `CASE WHEN ${field.sql} IS NOT NULL THEN printf('%.2f', ${field.sql} / 100) END`
  if (field?.unit === 'share') return `printf('%.6f', ${field.sql})`
  if (field) return field.type === 'text' ? guarded(field.sql) : field.sql
  const dimension = model.dimensions[column]!
  if (dimension.names)
    return guarded(`coalesce(n${index}.name_${language}, n${index}.name_hant, n${index}.name_en)`)
  const [shown] = columnSql(name, model, column, index)
  const sql = shown!.slice(0, shown!.lastIndexOf(' AS '))
  if (words) {
    const cases = Object.entries(words).map(([value, word]) => `WHEN ${text(value)} THEN ${text(word)}`)
    const key = dimension.type === 'text' ? `(${sql})` : `(${sql})::BIGINT::VARCHAR`
    return cases.length === 0 ? sql : guarded(`(CASE ${key} ${cases.join(' ')} ELSE ${key} END)`)
  }
  if (dimension.display === 'percent') return `printf('%.6f', ${sql})`
  return dimension.type === 'integer' ? `(${sql})::BIGINT` : dimension.type === 'text' ? guarded(sql) : sql
}
