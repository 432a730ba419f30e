import { useRef, useState } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import type { Filter } from '../../analytics/filter.ts'
import { offeredColumns } from '../../analytics/offered.ts'
import { PREDICTIONS } from '../../analytics/predictions.ts'
import type { Model } from '../../analytics/model.ts'
import { answersHere } from '../data/analytics/connector.ts'
import { engineReady } from '../data/analytics/engine-state.ts'
import { engine } from '../data/analytics/parts.ts'
import { useScope } from '../data/analytics/use-analytics.ts'
import { nameSuffix } from '../i18n/language.ts'
import { useLanguage } from '../i18n/language-provider.tsx'
import { useFormat } from '../i18n/format.ts'
import { Button } from '../ui/button.tsx'
import { saveFile } from '../ui/save-file.ts'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { askedColumns, USUAL_COLUMNS } from './list-columns.tsx'
import type { RowSort } from './rows.ts'
import styles from './workspace.module.css'

interface ExportMenuProps {
  where: Filter
  sort: RowSort[]
  /** Columns of the list; the file has all, the query these. */
  columns: readonly string[]
}

type State =
  | { kind: 'idle' }
  | { kind: 'working' }
  | { kind: 'done'; rows: number }
  | { kind: 'copied' }
  | { kind: 'failed'; error: unknown }

/** What a reader wants first; the other columns follow in the order of the model. */
const FIRST = [
  'race_id',
  'day',
  'racecourse',
  'race_no',
  'bet_type',
  'rank',
  'combination',
  'probability',
  'price',
  'price_paid',
  'outcome',
  'origin',
  'profit_cents',
  'result',
]
/** Names are in the columns of the reader's language, and what only repeats another column is left out. */
const LEFT_OUT = /^(race_name|horses)_|^(meeting|month|value|model)$/

/** Columns of the file: every dimension and field of a prediction. */
export function exportColumns(model: Model, suffix: string): string[] {
  const all = offeredColumns('predictions', model)
  const names = [`horses_${suffix}`, `race_name_${suffix}`]
  const others = all.filter((name) => !FIRST.includes(name) && !LEFT_OUT.test(name))
  return [...FIRST, ...names, ...others]
}

/** Message key of a column's heading. */
const headingOf = (model: Model, column: string): string =>
  Object.hasOwn(model.dimensions, column)
    ? `dimension.${column}`
    : `field.${column.replace(/_(en|hant|hans)$/, '')}`

/** A request of the analytics API as a command that a reader can run with a token of theirs. */
export function queryText(regionId: string, rows: object): string {
  const body = JSON.stringify({ regionId, request: { rows } }).replaceAll("'", String.raw`'\''`)
  const address = new URL('analytics/query', document.baseURI).href
  return [
    `curl -s '${address}'`,
    `-H "Authorization: Bearer $FURLONG_TOKEN" -H 'Content-Type: application/json' -H 'Accept: text/csv'`,
    `-d '${body}'`,
  ].join(' \\\n  ')
}

/** The rows of the slice as a file written by the engine in the reader's words, or as a query of the API. */
export function ExportMenu({ where, sort, columns: shown }: ExportMenuProps) {
  const intl = useIntl()
  const format = useFormat()
  const { language } = useLanguage()
  const scope = useScope()
  const [state, setState] = useState<State>({ kind: 'idle' })
  const cancelling = useRef<AbortController | null>(null)
  const word = (id: string): string => intl.formatMessage({ id })
  /** Runs an export on this device, from the rows that are here; it can be cancelled. */
  const run = async (work: (signal: AbortSignal) => Promise<number>): Promise<void> => {
    const { signal } = (cancelling.current = new AbortController())
    setState({ kind: 'working' })
    try {
      const page = { model: 'predictions' as const, columns: ['race_id'], where, sort, offset: 0, limit: 1 }
      await engineReady((opened) => answersHere(opened, scope, { rows: page }))
      const rows = signal.aborted ? null : await work(signal)
      setState(rows === null || signal.aborted ? { kind: 'idle' } : { kind: 'done', rows })
    } catch (error) {
      setState(signal.aborted ? { kind: 'idle' } : { kind: 'failed', error })
    }
  }
  const suffix = nameSuffix(language)
  const columns = exportColumns(PREDICTIONS, suffix)
  const saveCsv = async (signal: AbortSignal): Promise<number> => {
    const { exportCsv } = await engine.load()
    const words = columns.flatMap((column) => {
      const dimension = Object.hasOwn(PREDICTIONS.dimensions, column)
        ? PREDICTIONS.dimensions[column as 'outcome']
        : undefined
      if (!dimension || !('words' in dimension) || !('values' in dimension)) return []
      const texts = dimension.values.map((value) => [value, word(`${dimension.words}.${value}`)])
      return [[column, Object.fromEntries(texts) as Record<string, string>] as const]
    })
    const request = {
      rows: { model: 'predictions' as const, columns, where, sort },
      language: suffix,
      headings: Object.fromEntries(columns.map((column) => [column, word(headingOf(PREDICTIONS, column))])),
      words: Object.fromEntries(words),
    }
    const { bytes, rows } = await exportCsv(request, signal)
    saveFile('furlong-record.csv', new Blob([bytes], { type: 'text/csv;charset=utf-8' }))
    return rows
  }
  const saveParquet = async (signal: AbortSignal): Promise<number> => {
    const [{ exportRows }, { parquetOf }] = await Promise.all([engine.load(), import('./parquet.ts')])
    const answer = await exportRows({ model: 'predictions', columns, where, sort }, signal)
    const { file, rows } = parquetOf(answer.bytes, answer.columns)
    if (!signal.aborted) saveFile('furlong-record.parquet', new Blob([file]))
    return rows
  }
  const saveDatabase = async (signal: AbortSignal): Promise<number> => {
    const { exportDatabase } = await engine.load()
    const { bytes, rows } = await exportDatabase({ model: 'predictions', columns, where, sort }, signal)
    if (!signal.aborted) saveFile('furlong-record.duckdb', new Blob([bytes]))
    return rows
  }
  const copy = async (): Promise<void> => {
    const rows = {
      model: 'predictions',
      columns: askedColumns(shown.length > 0 ? shown : USUAL_COLUMNS),
      where,
      sort,
      offset: 0,
      limit: 500,
    }
    try {
      await navigator.clipboard.writeText(queryText(scope.regionId, rows))
      setState({ kind: 'copied' })
    } catch (error) {
      setState({ kind: 'failed', error })
    }
  }
  return (
    <>
      {state.kind === 'working' ? (
        <Button onClick={() => cancelling.current?.abort()}>
          <FormattedMessage id="workspace.cancelExport" />
        </Button>
      ) : (
        <>
          <Button onClick={() => void run(saveCsv)}>
            <FormattedMessage id="record.export" />
          </Button>
          <Button onClick={() => void run(saveParquet)}>
            <FormattedMessage id="workspace.exportParquet" />
          </Button>
          <Button onClick={() => void run(saveDatabase)}>
            <FormattedMessage id="workspace.exportDuckdb" />
          </Button>
        </>
      )}
      <Button onClick={() => void copy()}>
        <FormattedMessage id="workspace.copyQuery" />
      </Button>
      <span role="status" className={styles.small}>
        {state.kind === 'copied' ? <FormattedMessage id="workspace.copied" /> : null}
        {state.kind === 'done' ? (
          <FormattedMessage id="record.exported" values={{ rows: format.integer(state.rows) }} />
        ) : null}
      </span>
      {state.kind === 'failed' ? <ErrorNotice error={state.error} /> : null}
    </>
  )
}
