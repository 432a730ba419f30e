import { useIntl } from 'react-intl'
import type { LabBet } from '../../../analytics/lab-api.ts'
import { MODELS } from '../../../analytics/models.ts'
import { nameColumn } from '../../../domain/languages.ts'
import { readAllRows } from '../../data/analytics/all-rows.ts'
import type { LabConnection } from '../../data/analytics/lab.ts'
import { useLanguage } from '../../i18n/language-provider.tsx'
import { raceClassText } from '../../i18n/race-words.ts'
import { useWord } from '../../i18n/use-word.ts'
import { Button } from '../../ui/button.tsx'
import { saveFile } from '../../ui/behaviour/save-file.ts'
import { Popover } from '../../ui/popover.tsx'
import { exportColumns, headingOf, raceColumns } from '../files/export-columns.ts'
import { ExportProgress, ExportState, useExport } from '../files/export-state.tsx'
import { BET_COLUMNS, BOX_COLUMNS, PlacedRows, withStakes } from './placed-rows.ts'

interface LabFilesProps {
  lab: LabConnection
  /** Number of rows that the bets are chosen from. */
  rows: number
  /** Only the bets of this month, unless it is `null`. */
  month: string | null
}

/** Message ids of the files that are offered. */
const FILES = ['record.export', 'workspace.exportParquet'] as const

/** Columns whose headings are the lab's own. */
const OWN_HEADINGS: readonly string[] = [
  ...BET_COLUMNS.map(({ name }) => name),
  'combinations',
  'expected_winners',
]

type NewFile = () => ConstructorParameters<typeof PlacedRows>[1]

/** Saves the bets of the plan as CSV or Parquet, each with the columns that the list's files have and its stake. */
export function LabFiles({ lab, rows, month }: LabFilesProps) {
  const intl = useIntl()
  const word = useWord()
  const { language } = useLanguage()
  const { state, setState, run, cancel } = useExport()
  const { subject } = lab
  const isBox = lab.universe === 'boxes'
  const suffix = nameColumn(language)
  const columns = isBox ? raceColumns(suffix) : exportColumns(subject, suffix)
  const save = async (name: string, file: NewFile, signal: AbortSignal): Promise<number> => {
    const bets: readonly LabBet[] = (await lab.bets('oldest', month, 0, rows)).bets
    const onRows = (read: number): void => setState({ kind: 'working', rows: read })
    const { scope, request } = lab.rowsOf(columns)
    const placed = await readAllRows(scope, request, () => new PlacedRows(bets, file(), isBox), {
      signal,
      onRows,
    })
    if (!signal.aborted) saveFile(name, placed.file())
    return bets.length
  }
  const saveCsv = async (signal: AbortSignal): Promise<number> => {
    const { CsvRows } = await import('../files/csv-rows.ts')
    const heading = (column: string): string =>
      word(OWN_HEADINGS.includes(column) ? `lab.file.${column}` : headingOf(column))
    const options = {
      subject,
      columns: isBox ? [...columns, ...BOX_COLUMNS.map(({ name }) => name)] : withStakes(columns),
      suffix,
      headingOf: heading,
      word,
      classText: (code: string) => raceClassText(intl, code),
      amounts: ['stake_cents'],
      dimensions: isBox ? ['bet_type'] : [],
    }
    const file: NewFile = () => new CsvRows(options)
    return save('furlong-bets.csv', file, signal)
  }
  const saveParquet = async (signal: AbortSignal): Promise<number> => {
    const [{ ParquetRows }, { fileColumns }] = await Promise.all([
      import('../files/parquet-rows.ts'),
      import('../../../analytics/file-columns.ts'),
    ])
    const typed = [...fileColumns(subject, MODELS[subject], columns), ...(isBox ? BOX_COLUMNS : BET_COLUMNS)]
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
