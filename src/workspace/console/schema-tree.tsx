import { useState, type ReactNode } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import type { Column, Table } from '../../../analytics/table.ts'
import type { ConsoleCell } from '../../data/analytics/console-rows.ts'
import { useFormat } from '../../i18n/format.ts'
import { ErrorNotice } from '../../ui/panel.tsx'
import { useWide } from '../../ui/behaviour/use-wide.ts'
import type { ConsoleEngine } from './use-console.ts'
import { meaningOf, sqlName, typeText } from './console-tables.ts'
import styles from './console.module.css'

interface Summary {
  nulls: number
  distinct: number
  low: string
  high: string
  bins: { value: string; rows: number }[]
}

/**
 * Summary of a column: missing values, number of distinct values, minimum and maximum, and its most
 * frequent values or a histogram.
 */
async function summaryOf(
  console: ConsoleEngine,
  table: string,
  name: string,
  isNumber: boolean,
): Promise<Summary> {
  const column = sqlName(name)
  const [ends] = (
    await console.query(
      `SELECT (count(*) - count(${column}))::DOUBLE AS nulls, approx_count_distinct(${column})::DOUBLE AS "values",
         min(${column})::VARCHAR AS low, max(${column})::VARCHAR AS high FROM ${table}`,
    )
  ).rows
  const bins = await console.query(
    isNumber
      ? `WITH ends AS (SELECT min(${column})::DOUBLE AS low, max(${column})::DOUBLE AS high FROM ${table})
         SELECT round(low + (high - low) * bin / 12, 4)::VARCHAR AS value, rows FROM (
           SELECT least(11, floor(12 * (${column} - low) / nullif(high - low, 0)))::INTEGER AS bin, low, high, count(*)::DOUBLE AS rows
           FROM ${table}, ends WHERE ${column} IS NOT NULL GROUP BY ALL
         ) ORDER BY bin`
      : `SELECT ${column}::VARCHAR AS value, count(*)::DOUBLE AS rows FROM ${table} WHERE ${column} IS NOT NULL
         GROUP BY 1 ORDER BY rows DESC, value LIMIT 8`,
  )
  const text = (value: ConsoleCell | undefined): string => value ?? '–'
  return {
    nulls: Number(ends?.[0] ?? 0),
    distinct: Number(ends?.[1] ?? 0),
    low: text(ends?.[2]),
    high: text(ends?.[3]),
    bins: bins.rows.map(([value, rows]) => ({ value: text(value), rows: Number(rows) })),
  }
}

interface SchemaTreeProps {
  console: ConsoleEngine
  tables: readonly Table[]
  /** Number of rows per table; `null` until counted. */
  counts: ReadonlyMap<string, number> | null
  onInsert(text: string): void
  /** What is above the tables. */
  children: ReactNode
}

/** The tables with their columns, the meaning of each, and a summary of each on request. */
export function SchemaTree({ console, tables: all, counts, onInsert, children }: SchemaTreeProps) {
  const format = useFormat()
  const intl = useIntl()
  const wide = useWide()
  const title = <FormattedMessage id="console.tables" />
  const tables = all.map((table) => (
    <details key={table.name}>
      <summary title={meaningOf(intl, table.meaning)}>
        <code lang="en">{table.name}</code>
        <span>{counts?.has(table.name) ? format.integer(counts.get(table.name)!) : ''}</span>
      </summary>
      <p className={styles.meaning}>{meaningOf(intl, table.meaning)}</p>
      <ul>
        {Object.entries(table.columns).map(([name, column]) => (
          <ColumnLine
            key={name}
            console={console}
            table={table.name}
            name={name}
            column={column}
            onInsert={onInsert}
          />
        ))}
      </ul>
    </details>
  ))
  // On a phone the editor comes first: the tables are collapsed above it.
  return (
    <section className={styles.schema} aria-label={intl.formatMessage({ id: 'console.tables' })}>
      {children}
      {wide ? (
        <>
          <h2>{title}</h2>
          {tables}
        </>
      ) : (
        <details>
          <summary>{title}</summary>
          {tables}
        </details>
      )}
    </section>
  )
}

interface ColumnLineProps extends Pick<SchemaTreeProps, 'console' | 'onInsert'> {
  table: string
  name: string
  column: Column
}

const NUMBERS = /^(TINYINT|SMALLINT|INTEGER|BIGINT|FLOAT|DOUBLE)$/

function ColumnLine({ console, table, name, column, onInsert }: ColumnLineProps) {
  const format = useFormat()
  const intl = useIntl()
  const [summary, setSummary] = useState<Summary | { error: unknown } | null>(null)
  const type = typeText(column)
  const load = (): void => {
    if (summary !== null && !('error' in summary)) return
    summaryOf(console, table, name, NUMBERS.test(type)).then(setSummary, (error: unknown) =>
      setSummary({ error }),
    )
  }
  const most = summary && 'bins' in summary ? Math.max(...summary.bins.map(({ rows }) => rows), 1) : 1
  return (
    <li>
      <details
        onToggle={(event) => {
          if (event.currentTarget.open) load()
        }}
      >
        <summary lang="en">
          <code>{name}</code>
          <span>
            {type}
            {column.unit ? `, ${column.unit}` : ''}
          </span>
        </summary>
        <p className={styles.meaning}>{meaningOf(intl, column.meaning)}</p>
        {summary === null ? null : 'error' in summary ? (
          <ErrorNotice error={summary.error} onRetry={load} />
        ) : (
          <div className={styles.summary} data-testid="column-summary">
            <FormattedMessage
              id="console.summary"
              values={{
                nulls: format.integer(summary.nulls),
                distinct: format.integer(summary.distinct),
                low: summary.low,
                high: summary.high,
              }}
              tagName="p"
            />
            <ul>
              {summary.bins.map(({ value, rows }) => (
                <li key={value}>
                  <span className={styles.value}>{value}</span>
                  <span
                    className={styles.bar}
                    style={{ inlineSize: `${(100 * rows) / most}%` }}
                    aria-hidden="true"
                  />
                  <span>{format.integer(rows)}</span>
                </li>
              ))}
            </ul>
          </div>
        )}
        <button type="button" className={styles.link} onClick={() => onInsert(sqlName(name))}>
          {intl.formatMessage({ id: 'console.insert' })}
        </button>
      </details>
    </li>
  )
}
