import { useState } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import type { GridFilter, RecordFilter, RecordSort } from '../../../contract/queries.ts'
import { RECORD_COLUMNS } from '../../../contract/record-vocabulary.ts'
import { nameSuffix } from '../../i18n/language.ts'
import { useLanguage } from '../../i18n/language-provider.tsx'
import { useFormat } from '../../i18n/format.ts'
import { Button } from '../../ui/button.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import styles from './record.module.css'

interface ExportButtonProps {
  filter: RecordFilter
  grid: GridFilter[]
  sort: RecordSort[]
}

type State =
  | { kind: 'idle' }
  | { kind: 'working' }
  | { kind: 'done'; rows: number }
  | { kind: 'failed'; error: unknown }

const HEADINGS: Readonly<
  Record<(typeof RECORD_COLUMNS)[number] | 'race_id' | 'odds_paid' | 'origin', string>
> = {
  race_id: 'record.raceId',
  race_date: 'record.day',
  stadium_key: 'record.stadium',
  race_no: 'record.raceNo',
  gameplay_class: 'record.betType',
  rank: 'record.rank',
  combination: 'record.prediction',
  probability: 'record.probability',
  odds: 'record.odds',
  odds_paid: 'record.oddsPaid',
  outcome: 'record.outcome',
  origin: 'origin.legend',
  profit_cents: 'record.profitHkd',
}

/** The whole filtered record as a CSV file, written by the engine in the reader's words. */
export function ExportButton({ filter, grid, sort }: ExportButtonProps) {
  const intl = useIntl()
  const format = useFormat()
  const { language } = useLanguage()
  const [state, setState] = useState<State>({ kind: 'idle' })
  const word = (id: string): string => intl.formatMessage({ id })
  const save = async (): Promise<void> => {
    setState({ kind: 'working' })
    try {
      const { exportCsv } = await import('../../data/engine-client.ts')
      const { bytes, rows } = await exportCsv({
        filter,
        grid,
        sort,
        language: nameSuffix(language),
        headings: Object.fromEntries(Object.entries(HEADINGS).map(([column, id]) => [column, word(id)])),
        outcomes: { hit: word('outcome.hit'), miss: word('outcome.miss'), void: word('outcome.void') },
        origins: {
          locked: word('origin.locked'),
          backtest: word('origin.backtest'),
          changed: word('origin.changed'),
        },
        gameplays: Object.fromEntries([1, 2, 3, 4, 5, 6, 7, 8, 9].map((id) => [id, word(`gameplay.${id}`)])),
      })
      saveFile('furlong-record.csv', new Blob([bytes], { type: 'text/csv;charset=utf-8' }))
      setState({ kind: 'done', rows })
    } catch (error) {
      setState({ kind: 'failed', error })
    }
  }
  return (
    <>
      <Button onClick={() => void save()} disabled={state.kind === 'working'}>
        <FormattedMessage id={state.kind === 'working' ? 'record.exporting' : 'record.export'} />
      </Button>
      <span role="status" className={styles.small}>
        {state.kind === 'done' ? (
          <FormattedMessage id="record.exported" values={{ rows: format.integer(state.rows) }} />
        ) : null}
      </span>
      {state.kind === 'failed' ? <ErrorNotice error={state.error} /> : null}
    </>
  )
}
