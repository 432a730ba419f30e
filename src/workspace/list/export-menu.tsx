import { useIntl } from 'react-intl'
import type { Sort } from '../../../analytics/check.ts'
import type { Filter } from '../../../analytics/filter.ts'
import { MODELS } from '../../../analytics/models.ts'
import { MAX_PAGE } from '../../../analytics/rows.ts'
import { readAllRows, type Collection } from '../../data/analytics/all-rows.ts'
import { engineAnswers } from '../../data/analytics/connector.ts'
import { engine } from '../../data/analytics/parts.ts'
import { useScope } from '../../data/analytics/use-analytics.ts'
import { useLanguage } from '../../i18n/language-provider.tsx'
import { raceClassText } from '../../i18n/race-words.ts'
import { useWord } from '../../i18n/use-word.ts'
import { Button } from '../../ui/button.tsx'
import { saveFile } from '../../ui/behaviour/save-file.ts'
import { Popover } from '../../ui/popover.tsx'
import { requestedColumns } from './list-columns.tsx'
import type { Subject } from '../../../analytics/view/view.ts'
import { curlText, pythonText } from './query-text.ts'
import { pageRequest } from '../query/rows.ts'
import { nameColumn } from '../../../domain/languages.ts'
import { exportColumns, headingOf } from '../files/export-columns.ts'
import { ExportProgress, ExportState, useExport } from '../files/export-state.tsx'

interface ExportMenuProps {
  subject: Subject
  where: Filter
  sort: Sort[]
  /** Columns of the list; the query has these, the file has all. */
  columns: readonly string[]
  /** Number of rows in the slice; `null` if unknown. */
  total: number | null
}

/** What a file of a subject's rows is called. */
const FILE_NAMES: Readonly<Record<Subject, string>> = {
  predictions: 'record',
  runners: 'runners',
  races: 'races',
}

/** Message ids of the files that are offered. */
const FILES = [
  'record.export',
  'workspace.exportCodes',
  'workspace.exportParquet',
  'workspace.exportDuckdb',
] as const
/** Queries that can be copied, with the message id of a button's tooltip. */
const COPIES = [
  { id: 'workspace.copyQuery', hint: 'workspace.copyCurl' },
  { id: 'workspace.copyPython', hint: undefined },
] as const

/** Saves files of every row, and copies queries for them; by the message id of its button. */
function useExportActions({ subject, where, sort, columns: shown }: ExportMenuProps) {
  const intl = useIntl()
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
  const saveCsv = async (signal: AbortSignal, asCodes = false): Promise<number> => {
    const { CsvRows } = await import('../files/csv-rows.ts')
    const { columns } = requestAll()
    const options = {
      subject,
      columns,
      suffix,
      headingOf: (column: string) => word(headingOf(column)),
      word,
      classText: (code: string) => raceClassText(intl, code),
      asCodes,
    }
    return save(`furlong-${FILE_NAMES[subject]}.csv`, () => new CsvRows(options), signal)
  }
  const saveParquet = async (signal: AbortSignal): Promise<number> => {
    const [{ ParquetRows }, { fileColumns }] = await Promise.all([
      import('../files/parquet-rows.ts'),
      import('../../../analytics/file-columns.ts'),
    ])
    const columns = fileColumns(subject, MODELS[subject], requestAll().columns)
    return save(`furlong-${FILE_NAMES[subject]}.parquet`, () => new ParquetRows(columns), signal)
  }
  const saveDatabase = async (signal: AbortSignal): Promise<number> => {
    const request = requestAll()
    const opened = await engineAnswers(scope, { rows: { ...request, offset: 0, limit: 1 } })
    const { exportDatabase } = await engine.load()
    const { bytes, rows } = await exportDatabase(request, { opened, signal })
    if (!signal.aborted) saveFile(`furlong-${FILE_NAMES[subject]}.duckdb`, new Blob([bytes]))
    return rows
  }
  const copy = async (queryText: (regionId: string, rows: object) => string): Promise<void> => {
    const columns = requestedColumns(subject, shown)
    const { rows } = pageRequest(subject, where, columns, sort, 0, MAX_PAGE)
    try {
      await navigator.clipboard.writeText(queryText(scope.regionId, rows))
      setState({ kind: 'copied' })
    } catch (error) {
      setState({ kind: 'failed', error })
    }
  }
  const actions: Readonly<Record<string, () => Promise<void>>> = {
    'record.export': () => run(saveCsv),
    'workspace.exportCodes': () => run((signal) => saveCsv(signal, true)),
    'workspace.exportParquet': () => run(saveParquet),
    'workspace.exportDuckdb': () => run(saveDatabase),
    'workspace.copyQuery': () => copy(curlText),
    'workspace.copyPython': () => copy(pythonText),
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
      <ExportProgress state={state} total={total} onCancel={cancel} />
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
    </>
  )
}
