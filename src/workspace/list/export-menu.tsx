import { useRef, useState } from 'react'
import type { Sort } from '../../../analytics/check.ts'
import type { Filter } from '../../../analytics/filter.ts'
import { offeredColumns } from '../../../analytics/offered.ts'
import { MODELS } from '../../../analytics/models.ts'
import { MAX_PAGE } from '../../../analytics/rows.ts'
import { readAllRows, type Collection } from '../../data/analytics/all-rows.ts'
import { answersHere } from '../../data/analytics/connector.ts'
import { engineReady } from '../../data/analytics/engine-state.ts'
import { engine } from '../../data/analytics/parts.ts'
import { useScope } from '../../data/analytics/use-analytics.ts'
import { useLanguage } from '../../i18n/language-provider.tsx'
import { useFormat } from '../../i18n/format.ts'
import { useWord } from '../../i18n/use-word.ts'
import { Button } from '../../ui/button.tsx'
import { saveFile } from '../../ui/behaviour/save-file.ts'
import { ErrorNotice } from '../../ui/panel.tsx'
import { Popover } from '../../ui/popover.tsx'
import { requestedColumns } from './list-columns.tsx'
import { EVERY } from '../state/dimension-of.ts'
import { shownColumns } from '../state/list-columns.ts'
import type { Subject } from '../state/view.ts'
import { curlText, pythonText } from './query-text.ts'
import { pageRequest } from '../query/rows.ts'
import { NAME_COLUMNS, nameColumn } from '../../../domain/languages.ts'
import { Small } from '../../ui/layout.tsx'
import styles from './export-menu.module.css'

interface ExportMenuProps {
  subject: Subject
  where: Filter
  sort: Sort[]
  /** Columns of the list; the query has these, the file has all. */
  columns: readonly string[]
  /** Number of rows in the slice; `null` if unknown. */
  total: number | null
}

type State =
  | { kind: 'idle' }
  /** Number of rows read so far; `null` if unknown. */
  | { kind: 'working'; rows: number | null }
  | { kind: 'done'; rows: number }
  /** `isPart`: the query asks for the first rows only. */
  | { kind: 'copied'; isPart: boolean }
  | { kind: 'failed'; error: unknown }

/** The most important columns of each subject first; the others follow in the order of the model. */
const FIRST: Readonly<Record<Subject, readonly string[]>> = {
  predictions: [
    'race_id',
    'day',
    'racecourse',
    'race_no',
    'model',
    'origin',
    'bet_type',
    'rank',
    'selected',
    'cautious',
    'upset_guard',
    'combination',
    'probability',
    'price',
    'price_paid',
    'outcome',
    'profit_cents',
    'result',
  ],
  runners: [
    'race_id',
    'day',
    'racecourse',
    'race_no',
    'model',
    'origin',
    'horse_no',
    'horse',
    'jockey',
    'trainer',
    'draw',
    'probability',
    'win_odds',
    'place',
    'outcome',
    'profit_cents',
    'result',
  ],
}
/** Fields with names that are one column in the user's language. */
const NAMED: Readonly<Record<Subject, readonly string[]>> = {
  predictions: ['horses', 'race_name', 'jockey', 'trainer'],
  runners: ['race_name'],
}
/** Names are exported in the columns of the user's language only, and redundant columns are omitted. */
const LEFT_OUT = /^(race_name|horses|jockey|trainer)_|^(meeting|month|value)$/

/** Columns of the file: every dimension and field of a row, except redundant ones. */
export function exportColumns(subject: Subject, suffix: string): string[] {
  const all = offeredColumns(subject, MODELS[subject])
  const names = NAMED[subject].map((name) => `${name}_${suffix}`)
  const others = all.filter((name) => !FIRST[subject].includes(name) && !LEFT_OUT.test(name))
  return [...FIRST[subject], ...names, ...others]
}

const NAME_SUFFIX = new RegExp(`_(${NAME_COLUMNS.join('|')})$`)

/** Message id of a column's heading. */
const headingOf = (column: string): string =>
  Object.hasOwn(EVERY.dimensions, column) ? `dimension.${column}` : `field.${column.replace(NAME_SUFFIX, '')}`

/** What a file of a subject's rows is called. */
const FILE_NAMES: Readonly<Record<Subject, string>> = { predictions: 'record', runners: 'runners' }

/** Message ids of the files that are offered. */
const FILES = ['record.export', 'workspace.exportParquet', 'workspace.exportDuckdb'] as const
/** Queries that can be copied, with the message id of a button's tooltip. */
const COPIES = [
  { id: 'workspace.copyQuery', hint: 'workspace.copyCurl' },
  { id: 'workspace.copyPython', hint: undefined },
] as const

/** The progress of an export, and the ways to begin and cancel one. */
function useExport() {
  const [state, setState] = useState<State>({ kind: 'idle' })
  const cancelling = useRef<AbortController | null>(null)
  /** Runs an export that can be cancelled; `work` resolves to the number of rows saved. */
  const run = async (work: (signal: AbortSignal) => Promise<number>): Promise<void> => {
    const { signal } = (cancelling.current = new AbortController())
    setState({ kind: 'working', rows: null })
    try {
      const rows = await work(signal)
      setState(signal.aborted ? { kind: 'idle' } : { kind: 'done', rows })
    } catch (error) {
      setState(signal.aborted ? { kind: 'idle' } : { kind: 'failed', error })
    }
  }
  return { state, setState, run, cancel: () => cancelling.current?.abort() }
}

/** Saves files of every row, and copies queries of the first ones; by the message id of its button. */
function useExportActions({ subject, where, sort, columns: shown, total }: ExportMenuProps) {
  const word = useWord()
  const { language } = useLanguage()
  const scope = useScope()
  const { state, setState, run, cancel } = useExport()
  const suffix = nameColumn(language)
  const requestAll = () => {
    const columns = exportColumns(subject, suffix)
    return { model: subject, columns, where, sort }
  }
  const save = async (
    name: string,
    begin: () => Collection & { file(): Blob },
    signal: AbortSignal,
  ): Promise<number> => {
    let count = 0
    const onRows = (read: number): void => {
      count = read
      setState({ kind: 'working', rows: read })
    }
    const rows = await readAllRows(scope, requestAll(), begin, { signal, onRows })
    if (!signal.aborted) saveFile(name, rows.file())
    return count
  }
  const saveCsv = async (signal: AbortSignal): Promise<number> => {
    const { CsvRows } = await import('./csv-rows.ts')
    const { columns } = requestAll()
    const options = { subject, columns, suffix, headingOf: (column: string) => word(headingOf(column)), word }
    return save(`furlong-${FILE_NAMES[subject]}.csv`, () => new CsvRows(options), signal)
  }
  const saveParquet = async (signal: AbortSignal): Promise<number> => {
    const [{ ParquetRows }, { fileColumns }] = await Promise.all([
      import('./parquet.ts'),
      import('../../../analytics/file-columns.ts'),
    ])
    const columns = fileColumns(subject, MODELS[subject], requestAll().columns)
    return save(`furlong-${FILE_NAMES[subject]}.parquet`, () => new ParquetRows(columns), signal)
  }
  const saveDatabase = async (signal: AbortSignal): Promise<number> => {
    const request = requestAll()
    await engineReady((opened) => answersHere(opened, scope, { rows: { ...request, offset: 0, limit: 1 } }))
    const { exportDatabase } = await engine.load()
    const { bytes, rows } = await exportDatabase(request, signal)
    if (!signal.aborted) saveFile(`furlong-${FILE_NAMES[subject]}.duckdb`, new Blob([bytes]))
    return rows
  }
  const copy = async (
    queryText: (regionId: string, rows: object) => string,
    isPart: boolean,
  ): Promise<void> => {
    const columns = requestedColumns(subject, shownColumns(subject, shown))
    const { rows } = pageRequest(subject, where, columns, sort, 0, MAX_PAGE)
    try {
      await navigator.clipboard.writeText(queryText(scope.regionId, rows))
      setState({ kind: 'copied', isPart })
    } catch (error) {
      setState({ kind: 'failed', error })
    }
  }
  const actions: Readonly<Record<string, () => Promise<void>>> = {
    'record.export': () => run(saveCsv),
    'workspace.exportParquet': () => run(saveParquet),
    'workspace.exportDuckdb': () => run(saveDatabase),
    'workspace.copyQuery': () => copy(curlText, total !== null && total > MAX_PAGE),
    'workspace.copyPython': () => copy(pythonText, false),
  }
  const begin = (action: string): void => void actions[action]?.()
  return { state, begin, cancel }
}

/** Exports the rows of the slice as a file, from this device or from the server, or as a query of the API. */
export function ExportMenu(props: ExportMenuProps) {
  const { total } = props
  const word = useWord()
  const { state, begin, cancel } = useExportActions(props)
  const working = state.kind === 'working'
  return (
    <>
      {working ? (
        <>
          <progress
            className={styles.progress}
            aria-label={word('workspace.exporting')}
            {...(state.rows === null || total === null ? {} : { value: state.rows, max: total })}
          />
          <Button onClick={cancel} text="workspace.cancelExport" />
        </>
      ) : null}
      <Popover button={word('workspace.exportMenu')}>
        {(close) => {
          const item = (id: string, hint?: string) => (
            <Button
              key={id}
              text={id}
              disabled={working}
              title={hint === undefined ? undefined : word(hint)}
              onClick={() => {
                close()
                begin(id)
              }}
            />
          )
          return [...FILES.map((id) => item(id)), ...COPIES.map(({ id, hint }) => item(id, hint))]
        }}
      </Popover>
      <ExportState state={state} total={total} />
      {state.kind === 'failed' ? <ErrorNotice error={state.error} /> : null}
    </>
  )
}

/** How far the export is, or that it is done. */
function ExportState({ state, total }: { state: State; total: number | null }) {
  const word = useWord()
  const format = useFormat()
  const textOf = (): string => {
    if (state.kind === 'copied') {
      if (!state.isPart || total === null) return word('workspace.copied')
      return word('workspace.copiedPart', { limit: format.integer(MAX_PAGE), rows: format.integer(total) })
    }
    if ((state.kind !== 'working' && state.kind !== 'done') || state.rows === null) return ''
    const rows = format.integer(state.rows)
    if (state.kind === 'done') return word('record.exported', { rows })
    return word('workspace.exportedSoFar', { rows, total: total === null ? '…' : format.integer(total) })
  }
  return (
    <Small role="status" as="span">
      {textOf()}
    </Small>
  )
}
