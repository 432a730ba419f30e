import type { ExportRequest } from '../../contract/engine.ts'
import { RECORD_COLUMNS } from '../../contract/record-vocabulary.ts'
import { FurlongError } from '../../domain/errors.ts'
import { identifier, text } from '../sql/literal.ts'
import { COMBINATION, chosenRows, orderBy } from '../queries/record-page.ts'

/** The columns of the list, and whether its odds were paid or only the last ones seen, and when it was made. */
const EXPORTED = RECORD_COLUMNS.flatMap((column) =>
  column === 'odds'
    ? [column, 'odds_paid' as const]
    : column === 'outcome'
      ? [column, 'origin' as const]
      : [column],
)

/** A spreadsheet would run a cell that begins so as a formula. */
const guarded = (sql: string): string =>
  `CASE WHEN regexp_matches(${sql}, '^[=+\\-@\\t\\r]') THEN '''' || ${sql} ELSE ${sql} END`

const words = (column: string, of: Record<string, string>): string =>
  `CASE ${column}::VARCHAR ${Object.entries(of)
    .map(([value, word]) => `WHEN ${text(value)} THEN ${text(word)}`)
    .join(' ')} END`

/** The whole filtered record, in the reader's order and words, as a statement for `COPY`. */
export function exportSql(request: ExportRequest): string {
  const chosen = chosenRows(request.filter, request.grid)
  const name = `name_${request.language}`
  const columns: Record<(typeof EXPORTED)[number], string> = {
    race_date: `strftime(p.race_date, '%Y-%m-%d')`,
    stadium_key: guarded(`coalesce(stadium.${name}, stadium.name_hant, stadium.name_en)`),
    race_no: 'p.race_no',
    gameplay_class: guarded(words('p.gameplay_class', request.gameplays)),
    rank: 'p.rank',
    // A combination such as 3-11 would be read as a date.
    combination: `'[' || ${COMBINATION} || ']'`,
    probability: "printf('%.6f', p.probability)",
    odds: 'p.odds',
    odds_paid: 'p.odds_paid',
    outcome: words('p.outcome', request.outcomes),
    origin: words('p.origin', request.origins),
    profit_cents: `CASE WHEN p.profit_cents IS NOT NULL THEN printf('%.2f', p.profit_cents / 100) END`,
  }
  const headings = EXPORTED.map((column) => {
    const heading = request.headings[column]
    if (heading === undefined) throw new FurlongError('bad-parameters', { reason: `headings.${column}` })
    return `${columns[column]} AS ${identifier(heading)}`
  })
  return `SELECT race.race_id AS ${identifier(request.headings['race_id'] ?? 'race_id')}, ${headings.join(', ')}
    FROM (SELECT p.* FROM ${chosen.from} ${chosen.where}) p
    JOIN race USING (race_key) LEFT JOIN stadium ON stadium.stadium_key = p.stadium_key ${orderBy(request.sort)}`
}
