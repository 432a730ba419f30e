import { useQuery } from '@tanstack/react-query'
import { FormattedMessage, useIntl } from 'react-intl'
import { Link } from 'react-router-dom'
import { rankOf } from '../../../domain/horse-hit.ts'
import { dividendsQuery } from '../../data/analytics/remote.ts'
import type { Competitor, RaceInfo } from '../../../contract/api/racing.ts'
import { useFormat } from '../../i18n/format.ts'
import { Name, PersonName } from '../../i18n/name.tsx'
import { useRaceWords } from '../../i18n/race-words.ts'
import { NumberCloth } from '../../ui/number-cloth.tsx'
import { Silks } from '../../ui/silks.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Columns, ScrollRegion, Small, Table, TextCell } from '../../ui/layout.tsx'
import { Panel, Skeleton, Hidden } from '../../ui/panel.tsx'
import styles from './race.module.css'
import { numberOf, numberOrNull, textOf, type AnswerRow } from '../../../analytics/cells.ts'

const SHOWN_PLACES = 4
/** Height of about fifteen lines, the usual number of a race's dividends. */
const DIVIDENDS_HEIGHT = 480

/** A finished race for all users: the first four, and the dividends of every pool. */
export function RaceResult({ race, runners }: { race: RaceInfo; runners: readonly Competitor[] }) {
  const format = useFormat()
  const words = useRaceWords()
  const dividends = useQuery(dividendsQuery(race.countryRegionId, race.raceId))
  const placed = runners
    .flatMap((runner) => {
      const rank = rankOf(runner.ranking)
      return rank !== null && rank <= SHOWN_PLACES ? [{ runner, rank }] : []
    })
    .toSorted((a, b) => a.rank - b.rank)
  if (placed.length === 0) return null
  const margins = placed.some(({ runner }) => runner.finishLength !== null)
  return (
    <Panel title={<FormattedMessage id="race.section.result" />}>
      <Columns>
        <DataTable
          label="race.section.result"
          className={styles.firstFour}
          data-testid="first-four"
          rows={placed}
          keyOf={({ runner }) => runner.horseId}
          columns={[
            {
              id: 'race.horse',
              render: ({ runner, rank }) => (
                <span className={styles.placed}>
                  <FormattedMessage id="race.place" values={{ rank }} tagName="span" />
                  <NumberCloth value={runner.horseNumber ?? '–'} tone={rank === 1 ? 'first' : 'plain'} />
                  <Silks text={runner.silks} />
                  <span className={styles.winner}>
                    <span>
                      <Link to={`/pages/race/HorseDetail?id=${runner.horseId}`}>
                        <Name language={runner.nameLanguage}>{runner.name}</Name>
                      </Link>
                    </span>
                    <Small as="span">
                      <PersonName name={runner.jockey} language={runner.jockeyLanguage} />
                    </Small>
                  </span>
                </span>
              ),
              kind: 'name',
            },
            ...(margins
              ? [
                  {
                    id: 'race.margin',
                    render: ({ runner }: (typeof placed)[number]) => words.margin(runner.finishLength),
                  },
                ]
              : []),
            {
              id: 'record.odds',
              render: ({ runner: { odds } }) => (odds === null ? null : format.odds(odds)),
            },
          ]}
        />
        {dividends.data && dividends.data.rows.length > 0 ? (
          <ScrollRegion label="report.dividends">
            <DividendsTable rows={dividends.data.rows} />
          </ScrollRegion>
        ) : dividends.isPending ? (
          <Skeleton height={DIVIDENDS_HEIGHT} />
        ) : null}
      </Columns>
    </Panel>
  )
}

/** Dividends for HK$10, by bet type. */
export function DividendsTable({ rows }: { rows: readonly AnswerRow[] }) {
  const intl = useIntl()
  const format = useFormat()
  return (
    <Table className={styles.dividends} data-testid="dividends">
      <Small as="caption" text="report.dividends" />
      <tbody>
        {rows.map((row, index) => {
          const paid = numberOrNull(row, 'dividend_cents')
          const pool = numberOf(row, 'bet_type')
          const name = intl.formatMessage({ id: `gameplay.${pool}` })
          const isSame = index > 0 && numberOf(rows[index - 1]!, 'bet_type') === pool
          return (
            <tr key={`${pool} ${textOf(row, 'combination')}`}>
              <TextCell scope="row" as="th">
                {isSame ? <Hidden>{name}</Hidden> : name}
              </TextCell>
              <td>{textOf(row, 'combination')}</td>
              <td>
                {textOf(row, 'status') === 'refund' ? (
                  <FormattedMessage id="race.refund" />
                ) : paid === null ? (
                  '–'
                ) : (
                  format.money(paid)
                )}
              </td>
            </tr>
          )
        })}
      </tbody>
    </Table>
  )
}
