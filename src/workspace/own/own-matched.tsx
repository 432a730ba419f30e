import { useState } from 'react'
import { FormattedMessage } from 'react-intl'
import { UNMATCHED_REASONS, type OwnMatch } from '../../../analytics/own-api.ts'
import { BYTE_ORDER_MARK } from '../../../domain/csv.ts'
import type { OwnConnection } from '../../data/analytics/own.ts'
import { useFormat } from '../../i18n/format.ts'
import { useWord } from '../../i18n/use-word.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorNotice, Panel } from '../../ui/panel.tsx'
import { ColumnHeadings, Table } from '../../ui/layout.tsx'
import { saveFile } from '../../ui/behaviour/save-file.ts'
import { Scrolled } from '../parts/scrolled.tsx'
import styles from './own.module.css'

interface OwnMatchedProps {
  match: OwnMatch
  name: string
  connection: OwnConnection
}

/** The number of rows with a starter, and the rows without one. */
export function OwnMatched({ match, name, connection }: OwnMatchedProps) {
  const word = useWord()
  const format = useFormat()
  const [error, setError] = useState<unknown>(null)
  const left = match.rows - match.matched
  const save = async (): Promise<void> => {
    try {
      const text = BYTE_ORDER_MARK + (await connection.unmatched())
      saveFile(
        `${name.replace(/\.[^.]*$/, '')}-unmatched.csv`,
        new Blob([text], { type: 'text/csv;charset=utf-8' }),
      )
      setError(null)
    } catch (thrown) {
      setError(thrown)
    }
  }
  return (
    <Panel
      title={<FormattedMessage id="own.matched" />}
      actions={left === 0 ? undefined : <Button onClick={() => void save()} text="own.saveUnmatched" />}
    >
      <p data-testid="own-matched">
        <FormattedMessage
          id="own.matchedSummary"
          values={{
            matched: format.integer(match.matched),
            rows: format.integer(match.rows),
            races: match.races,
          }}
        />
      </p>
      {error === null ? null : <ErrorNotice error={error} />}
      {left === 0 ? null : (
        <details>
          <summary data-testid="own-unmatched">
            <FormattedMessage id="own.unmatched" values={{ count: left }} />{' '}
            {UNMATCHED_REASONS.filter((reason) => match.unmatched[reason] > 0)
              .map((reason) => `${word(`own.reason.${reason}`)}: ${format.integer(match.unmatched[reason])}`)
              .join(' · ')}
          </summary>
          <Scrolled label={word('own.matched')}>
            <Table className={styles.lefts}>
              <ColumnHeadings ids={['own.lineHead', 'own.reasonHead', 'own.rowHead']} />
              <tbody>
                {match.listed.map((row) => (
                  <tr key={row.line}>
                    <td>{format.integer(row.line)}</td>
                    <FormattedMessage id={`own.reason.${row.reason}`} tagName="td" />
                    <td>{row.text}</td>
                  </tr>
                ))}
              </tbody>
            </Table>
          </Scrolled>
        </details>
      )}
    </Panel>
  )
}
