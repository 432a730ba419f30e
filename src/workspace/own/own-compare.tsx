import { useQuery } from '@tanstack/react-query'
import { FormattedMessage } from 'react-intl'
import type { ModelId } from '../../../contract/model-ids.ts'
import type { Comparison, Side } from '../../../domain/own-compare.ts'
import { keyOf } from '../../data/client/call.ts'
import type { OwnConnection } from '../../data/analytics/own.ts'
import { useFormat } from '../../i18n/format.ts'
import { useWord } from '../../i18n/use-word.ts'
import { ColumnHeadings, FactList, Small, Table, TableTwin, TextCell } from '../../ui/layout.tsx'
import { Panel, Skeleton } from '../../ui/panel.tsx'
import { useWide } from '../../ui/behaviour/use-wide.ts'
import { Chart } from '../../widgets/chart/chart.tsx'
import { RatioFigure } from '../parts/figure-cell.tsx'
import { Scrolled } from '../parts/scrolled.tsx'
import type { SliceAnswer } from '../query/use-slice.ts'
import { raceFilterOf } from '../../../analytics/view/view.ts'
import { ownAnswers, OwnProblem } from './own-answers.tsx'
import { Stale } from '../parts/stale.tsx'

const HEIGHT = 260
const FEW_STARTERS = 50

interface OwnCompareProps {
  /** Number of the match that the rows belong to. */
  number: number
  connection: OwnConnection
  slice: SliceAnswer
  model: ModelId
}

/**
 * Compares the user's probabilities, as a model, with ours and the market's on the same races of the slice.
 */
export function OwnCompare({ number, connection, slice, model }: OwnCompareProps) {
  const where = raceFilterOf(slice.where)
  const { data, error, isPlaceholderData } = useQuery({
    ...ownAnswers,
    queryKey: keyOf('own-data', number, 'compare', where),
    queryFn: () => connection.compare(where),
  })
  return (
    <Panel title={<FormattedMessage id="own.compare" />}>
      <Small text="own.unproven" />
      {error !== null ? (
        <OwnProblem error={error} />
      ) : data === undefined ? (
        <Skeleton height={HEIGHT} />
      ) : data.races === 0 ? (
        <p data-testid="own-compare">
          <FormattedMessage id="own.noRaces" values={{ incomplete: data.incomplete }} />
        </p>
      ) : (
        <Stale stale={isPlaceholderData}>
          <Compared comparison={data} model={model} />
        </Stale>
      )}
    </Panel>
  )
}

function Compared({ comparison, model }: { comparison: Comparison; model: ModelId }) {
  const word = useWord()
  const format = useFormat()
  const nameOf = (side: Side): string => word(side === 'model' ? `source.${model}` : `own.side.${side}`)
  const { races, incomplete, meanSum, sides, gain, value } = comparison
  return (
    <>
      <p data-testid="own-compare" data-races={races}>
        <FormattedMessage
          id="own.sameRaces"
          values={{ races: format.integer(races), incomplete: format.integer(incomplete) }}
        />{' '}
        {meanSum === null || Math.abs(meanSum - 1) < 0.005 ? null : (
          <FormattedMessage id="own.scaled" values={{ sum: format.decimal(meanSum, 2) }} />
        )}
      </p>
      <Scrolled label={word('own.compare')}>
        <Table data-testid="own-sides">
          <ColumnHeadings ids={['own.source', 'model.logLoss', 'model.r2', 'judge.hit', 'judge.returnOf']} />
          <tbody>
            {sides.map((side) => (
              <tr key={side.side} data-side={side.side}>
                <TextCell scope="row" as="th">
                  {nameOf(side.side)}
                </TextCell>
                <td>{format.decimal(side.logLoss, 4)}</td>
                <td>{format.decimal(side.r2, 4)}</td>
                <td>{format.percent(side.hitRate)}</td>
                <td>
                  <RatioFigure ratio={side.return} show={format.signedPercent} />
                </td>
              </tr>
            ))}
          </tbody>
        </Table>
      </Scrolled>
      <FactList>
        <div>
          <FormattedMessage id="own.gain" tagName="dt" />
          <dd>
            <RatioFigure ratio={gain} show={(nats) => format.signedDecimal(nats, 4)} />
          </dd>
        </div>
        <div>
          <FormattedMessage id="own.value" values={{ bets: format.integer(value.bets) }} tagName="dt" />
          <dd>
            <RatioFigure ratio={value.return} show={format.signedPercent} />
          </dd>
        </div>
      </FactList>
      <Calibration comparison={comparison} />
    </>
  )
}

function Calibration({ comparison }: { comparison: Comparison }) {
  const format = useFormat()
  const word = useWord()
  const wide = useWide()
  // The win rate of a few starters is not meaningful; the table includes them.
  const calibration = comparison.calibration.filter(({ starters }) => starters >= FEW_STARTERS)
  const top = Math.max(0.05, ...calibration.flatMap(({ mean, won }) => [mean, won])) * 1.05
  const line = (id: string, tone: 'series-1' | 'series-2', of: 'won' | 'market') => ({
    kind: 'line' as const,
    name: word(id),
    tone,
    x: calibration.map(({ mean }) => mean),
    y: calibration.map((group) => group[of]),
    end: format.percent(calibration.at(-1)?.[of] ?? 0),
    hover: calibration.map(
      (group) =>
        `${word(id)}\n${format.percent(group.mean)} → ${format.percent(group[of])}\n${format.integer(group.starters)}`,
    ),
  })
  const step = [0.05, 0.1, 0.2, 0.25].find((each) => top / each <= (wide ? 8 : 5)) ?? 0.5
  const ticks = Array.from({ length: Math.floor(top / step) + 1 }, (_, at) => at * step)
  const axis = {
    range: [0, top] as const,
    ticks: { at: ticks, text: ticks.map((tick) => format.percent(tick, 0)) },
  }
  return (
    <figure>
      {calibration.length < 2 ? null : (
        <Chart
          label={word('own.calibration')}
          series={[
            line('own.won', 'series-1', 'won'),
            line('own.side.market', 'series-2', 'market'),
            {
              kind: 'line',
              name: word('record.perfect'),
              tone: 'soft',
              x: [0, top],
              y: [0, top],
              end: '',
              hover: ['', ''],
            },
          ]}
          x={{ title: word('own.given'), ...axis }}
          y={{ title: '', ...axis }}
          height={HEIGHT}
        />
      )}
      <TableTwin>
        <FormattedMessage id="record.asTable" tagName="summary" />
        <Scrolled label={word('own.calibration')}>
          <Table data-testid="own-calibration">
            <ColumnHeadings ids={['own.band', 'own.starters', 'own.given', 'own.won', 'own.side.market']} />
            <tbody>
              {comparison.calibration.map((group) => (
                <tr key={group.from}>
                  <TextCell scope="row" as="th">
                    {format.percent(group.from)}–{format.percent(group.to)}
                  </TextCell>
                  <td>{format.integer(group.starters)}</td>
                  <td>{format.percent(group.mean)}</td>
                  <td>{format.percent(group.won)}</td>
                  <td>{format.percent(group.market)}</td>
                </tr>
              ))}
            </tbody>
          </Table>
        </Scrolled>
      </TableTwin>
    </figure>
  )
}
