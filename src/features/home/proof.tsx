import { FormattedMessage } from 'react-intl'
import type { Proof as Figures, ProofLine } from '../../../contract/api/model.ts'
import type { Interval } from '../../../domain/statistics.ts'
import { seasonLabel } from '../../../domain/region.ts'
import { useProof } from '../../data/use-racing.ts'
import { useRegion } from '../../data/use-region.ts'
import { useFormat } from '../../i18n/format.ts'
import { ErrorNotice, Hidden, Panel } from '../../ui/panel.tsx'
import { Small, TextLink } from '../../ui/layout.tsx'
import { Whisker } from '../../ui/whisker.tsx'
import styles from './proof.module.css'

const LINES = ['pick', 'favourite', 'random'] as const
const TENTH = 10

/** Hit rate and return of the first choices beside those of the favourite and of a random horse, out of sample. */
export function Proof({ onModelCard = false }: { onModelCard?: boolean }) {
  const proof = useProof()
  const figures = proof.data
  return (
    <Panel
      title={<FormattedMessage id="home.proof" />}
      actions={onModelCard ? null : <TextLink to="/pages/race/ModelCard" text="home.proof.how" />}
    >
      {/* As high as the figures before they come: what stands below is seen once it is known whether there are any. */}
      <div className={figures === null ? undefined : styles.proof}>
        {figures ? (
          <Table figures={figures} />
        ) : figures === null ? (
          <Small text="home.proof.none" />
        ) : proof.error ? (
          <ErrorNotice error={proof.error} onRetry={() => void proof.refetch()} />
        ) : null}
      </div>
    </Panel>
  )
}

function Table({ figures }: { figures: Figures }) {
  const format = useFormat()
  const { region } = useRegion()
  const lines = LINES.map((name) => ({ name, line: figures[name] }))
  const hits = lines.flatMap(({ line }) => [line.hitInterval?.high ?? line.hitRate])
  const returns = lines.flatMap(({ line: { returns: each } }) =>
    each === null ? [] : [each.interval?.low ?? each.rate, each.interval?.high ?? each.rate],
  )
  const rateAxis = { from: 0, to: Math.ceil(Math.max(...hits) * TENTH) / TENTH }
  const returnAxis = {
    from: Math.floor(Math.min(0, ...returns) * TENTH) / TENTH,
    to: Math.ceil(Math.max(0, ...returns) * TENTH) / TENTH,
  }
  const label = (season: number): string => seasonLabel(region?.seasonStartMonth ?? 1, season)
  const seasons = [...new Set([figures.seasons[0]!, figures.seasons.at(-1)!])].map((season) => label(season))
  return (
    <>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">
              <Hidden>
                <FormattedMessage id="home.proof.choice" />
              </Hidden>
            </th>
            {(['won', 'return'] as const).map((measure) => (
              <th key={measure} scope="col">
                <FormattedMessage id={`home.proof.${measure}`} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.map(({ name, line }) => (
            <tr key={name} className={name === 'pick' ? styles.own : undefined}>
              <th scope="row">
                <FormattedMessage id={`home.proof.${name}`} />
              </th>
              <Figure
                text={format.percent(line.hitRate)}
                value={line.hitRate}
                interval={line.hitInterval}
                words={(at) => format.percent(at)}
                own={name === 'pick'}
                axis={rateAxis}
              />
              <Return line={line} own={name === 'pick'} axis={returnAxis} />
            </tr>
          ))}
        </tbody>
      </table>
      {/* As one paragraph it would be the largest text of a phone's first screen, which is painted late. */}
      <Small>
        <FormattedMessage
          id="home.proof.of"
          values={{
            races: format.integer(figures.races),
            seasons: seasons.join(' – '),
          }}
        />
      </Small>
      <Small>
        <FormattedMessage id="home.proof.bet" />{' '}
        <TextLink to="/pages/race/WinLossRecord" text="home.toRecord" />
      </Small>
    </>
  )
}

interface Axis {
  from: number
  to: number
}

function Return({ line: { returns }, ...rest }: { line: ProofLine; own: boolean; axis: Axis }) {
  const format = useFormat()
  if (returns === null) return <td>–</td>
  return (
    <Figure
      text={format.signedPercent(returns.rate)}
      value={returns.rate}
      interval={returns.interval}
      words={(at) => format.signedPercent(at)}
      {...rest}
    />
  )
}

interface FigureProps {
  text: string
  value: number
  interval: Interval | null
  words(at: number): string
  own: boolean
  axis: Axis
}

/** A figure with its dot and whisker; the interval is in words for those who do not see it. */
const Figure = ({ text, value, interval, words, own, axis }: FigureProps) => (
  <td>
    {text}
    {interval === null ? null : (
      <Hidden>
        {' '}
        <FormattedMessage
          id="home.proof.interval"
          values={{ low: words(interval.low), high: words(interval.high) }}
        />
      </Hidden>
    )}
    <Whisker value={value} interval={interval} tone={own ? 'strong' : 'plain'} {...axis} />
  </td>
)
