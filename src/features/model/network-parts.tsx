import { FormattedMessage } from 'react-intl'
import type { ModelCardAnswer, NetworkCard } from '../../../contract/api/model.ts'
import { tuningSeasons } from '../../../domain/tuning.ts'
import { useFormat } from '../../i18n/format.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Small } from '../../ui/layout.tsx'
import { Interval } from './card-tables.tsx'
import styles from './model.module.css'

interface NetworkPartsProps {
  card: Pick<ModelCardAnswer, 'regionId' | 'network' | 'features' | 'calibration'>
  seasonName(season: number): string
}

/** What the network sees, how far its high chances can be believed, and what each part of it is worth. */
export function NetworkParts({ card, seasonName }: NetworkPartsProps) {
  const format = useFormat()
  const { network } = card
  if (!network) return null
  return (
    <Panel id="card-network" title={<FormattedMessage id="model.network" />}>
      <p>
        <FormattedMessage
          id="model.networkLead"
          values={{
            share: format.percent(network.offset, 0),
            features: format.integer(card.features.length),
            networks: network.networks,
          }}
        />
      </p>
      <ul>
        <FormattedMessage id="model.networkFigures" tagName="li" />
        <FormattedMessage id="model.networkContext" tagName="li" />
        <li>
          <FormattedMessage
            id="model.networkPeople"
            values={{
              jockeys: format.integer(network.jockeys),
              trainers: format.integer(network.trainers),
            }}
          />
        </li>
      </ul>
      <HighChances bins={card.calibration.find(({ model }) => model === 'network')?.bins ?? []} />
      <Small text="model.networkReasons" />
      {network.ablation.length === 0 ? null : (
        <>
          <h3 className={styles.part}>
            <FormattedMessage id="model.ablation" />
          </h3>
          <Small text="model.ablationLead" />
          {network.ablation.map((span) => (
            <Ablation
              key={span.seasons.join(' ')}
              span={span}
              tuning={tuningSeasons(card.regionId)}
              seasonName={seasonName}
            />
          ))}
        </>
      )}
    </Panel>
  )
}

const HIGH = 0.4

/** How often the horses won to whom the network gave more than 40%. */
function HighChances({ bins }: { bins: ModelCardAnswer['calibration'][number]['bins'] }) {
  const format = useFormat()
  const high = bins.find(({ from }) => from === HIGH)
  if (!high?.interval) return null
  return (
    <p data-testid="card-high">
      <FormattedMessage
        id="model.highChances"
        values={{
          given: format.percent(HIGH, 0),
          starters: format.integer(high.starters),
          mean: format.percent(high.mean),
          won: format.percent(high.observed),
          low: format.percent(high.interval.low),
          high: format.percent(high.interval.high),
        }}
      />
    </p>
  )
}

interface AblationProps extends Pick<NetworkPartsProps, 'seasonName'> {
  span: NetworkCard['ablation'][number]
  tuning: readonly number[]
}

/** R² of networks of which parts were left out. */
function Ablation({ span: { seasons, races, rows }, tuning, seasonName }: AblationProps) {
  const format = useFormat()
  const decimal = (value: number): string => format.signedDecimal(value, 4)
  return (
    <DataTable
      label="model.ablationTable"
      values={{ from: seasonName(seasons[0]!), to: seasonName(seasons.at(-1)!) }}
      data-testid={`card-ablation-${seasons[0]}`}
      rows={rows}
      keyOf={({ part }) => part}
      columns={[
        {
          id: 'model.sees',
          render: ({ part }) => (
            <span className={styles.sees}>
              <FormattedMessage id={`networkPart.${part}`} />
            </span>
          ),
          kind: 'name',
        },
        { id: 'model.r2', render: ({ r2 }) => format.decimal(r2, 4) },
        {
          id: 'model.r2Above',
          render: ({ above }) =>
            above && (
              <>
                {decimal(above.gain)}
                <Interval of={above.interval} text={decimal} />
              </>
            ),
        },
      ]}
    >
      <caption className={styles.caption}>
        <FormattedMessage
          id="model.ablationOf"
          values={{
            from: seasonName(seasons[0]!),
            to: seasonName(seasons.at(-1)!),
            races: format.integer(races),
            tuned: String(seasons.some((season) => tuning.includes(season))),
          }}
        />
      </caption>
    </DataTable>
  )
}
