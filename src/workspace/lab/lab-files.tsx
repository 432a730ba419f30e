import type { LabBet } from '../../../analytics/lab-api.ts'
import { MODELS } from '../../../analytics/models.ts'
import { nameColumn } from '../../../domain/languages.ts'
import { readAllRows } from '../../data/analytics/all-rows.ts'
import type { LabConnection } from '../../data/analytics/lab.ts'
import { useLanguage } from '../../i18n/language-provider.tsx'
import { useWord } from '../../i18n/use-word.ts'
import { Button } from '../../ui/button.tsx'
import { saveFile } from '../../ui/behaviour/save-file.ts'
import { Popover } from '../../ui/popover.tsx'
import { exportColumns, headingOf } from '../files/export-columns.ts'
import { ExportProgress, ExportState, useExport } from '../files/export-state.tsx'
import { PlacedRows, STAKE_COLUMNS, withStakes } from './placed-rows.ts'

interface LabFilesProps {
  lab: LabConnection
  /** Number of rows that the bets are chosen from. */
  rows: number
  /** Only the bets of this month, unless it is `null`. */
  month: string | null
}

/** Message ids of the files that are offered. */
const FILES = ['record.export', 'workspace.exportParquet'] as const

type NewFile = () => ConstructorParameters<typeof PlacedRows>[1]

/** Saves the bets of the plan as CSV or Parquet, each with the columns that the list's files have and its stake. */
export function LabFiles({ lab, rows, month }: LabFilesProps) {
  const word = useWord()
  const { language } = useLanguage()
  const { state, setState, run, cancel } = useExport()
  const { subject } = lab
  const suffix = nameColumn(language)
  const columns = exportColumns(subject, suffix)
  const save = async (name: string, file: NewFile, signal: AbortSignal): Promise<number> => {
    const bets: readonly LabBet[] = (await lab.bets('oldest', month, 0, rows)).bets
    const onRows = (read: number): void => setState({ kind: 'working', rows: read })
    const { scope, request } = lab.rowsOf(columns)
    const placed = await readAllRows(scope, request, () => new PlacedRows(bets, file()), { signal, onRows })
    if (!signal.aborted) saveFile(name, placed.file())
    return bets.length
  }
  const saveCsv = async (signal: AbortSignal): Promise<number> => {
    const { CsvRows } = await import('../files/csv-rows.ts')
    const heading = (column: string): string =>
      word(STAKE_COLUMNS.some((each) => each === column) ? `lab.file.${column}` : headingOf(column))
    const options = { subject, columns: withStakes(columns), suffix, headingOf: heading, word }
    const file: NewFile = () => new CsvRows({ ...options, amounts: ['stake_cents'] })
    return save('furlong-bets.csv', file, signal)
  }
  const saveParquet = async (signal: AbortSignal): Promise<number> => {
    const [{ ParquetRows }, { fileColumns }] = await Promise.all([
      import('../files/parquet-rows.ts'),
      import('../../../analytics/file-columns.ts'),
    ])
    const typed = [
      ...fileColumns(subject, MODELS[subject], columns),
      { name: 'odds_used', type: 'DOUBLE' as const },
      { name: 'stake_cents', type: 'BIGINT' as const },
    ]
    return save('furlong-bets.parquet', () => new ParquetRows(typed), signal)
  }
  const begin = { 'record.export': saveCsv, 'workspace.exportParquet': saveParquet }
  return (
    <>
      <ExportProgress state={state} total={rows} onCancel={cancel} />
      <Popover button={word('workspace.exportMenu')}>
        {(close) =>
          FILES.map((id) => (
            <Button
              key={id}
              text={id}
              disabled={state.kind === 'working'}
              onClick={() => {
                close()
                void run(begin[id])
              }}
            />
          ))
        }
      </Popover>
      <ExportState state={state} total={rows} />
    </>
  )
}
