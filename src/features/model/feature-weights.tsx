import { useState } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import type { ModelCardAnswer } from '../../../contract/api/model.ts'
import { useFormat } from '../../i18n/format.ts'
import { Button } from '../../ui/button.tsx'
import { useWide } from '../../ui/behaviour/use-wide.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { Small, Stack } from '../../ui/layout.tsx'
import styles from './model.module.css'

type Feature = ModelCardAnswer['features'][number]

/** Number of features that a phone shows at first. */
const FIRST = 10

/** Features with their weights as bars, largest first; a phone shows ten at first. */
export function FeatureWeights({ features }: { features: readonly Feature[] }) {
  const wide = useWide()
  const [whole, setWhole] = useState(false)
  const sorted = features.toSorted((a, b) => Math.abs(b.weight) - Math.abs(a.weight))
  const largest = Math.abs(sorted[0]?.weight ?? 0)
  if (wide) return <FeatureTable features={sorted} largest={largest} />
  const shown = whole ? sorted : sorted.slice(0, FIRST)
  return (
    <Stack tight>
      <ul className={styles.features} data-testid="card-features">
        {shown.map((feature) => (
          <FeatureLine key={feature.key} feature={feature} largest={largest} />
        ))}
      </ul>
      {shown.length < sorted.length ? (
        <Button onClick={() => setWhole(true)}>
          <FormattedMessage id="model.allFeatures" values={{ count: sorted.length }} />
        </Button>
      ) : null}
    </Stack>
  )
}

/** A weight as a bar from the centre: to the right if more of the feature makes a win more likely. */
function WeightBar({ weight, largest }: { weight: number; largest: number }) {
  const length = largest === 0 ? 0 : (Math.abs(weight) / largest) * 50
  return (
    <span className={styles.weight} aria-hidden="true">
      <span
        className={weight < 0 ? styles.less : styles.more}
        style={{ width: `${length}%`, insetInlineStart: weight < 0 ? `${50 - length}%` : '50%' }}
      />
    </span>
  )
}

function FeatureTable({ features, largest }: { features: readonly Feature[]; largest: number }) {
  const intl = useIntl()
  const format = useFormat()
  return (
    <DataTable
      label="model.features"
      rows={features}
      keyOf={({ key }) => key}
      columns={[
        {
          id: 'model.feature',
          render: ({ key, group, unit }) => (
            <>
              {intl.formatMessage({ id: `feature.${key}` })}
              <span className={styles.interval}>
                {intl.formatMessage({ id: `featureGroup.${group}` })} ·{' '}
                {intl.formatMessage({ id: `unit.${unit}` })}
              </span>
            </>
          ),
          kind: 'name',
        },
        {
          id: 'model.weight',
          render: ({ weight }) => (
            <span className={styles.weighed}>
              <WeightBar weight={weight} largest={largest} />
              {format.signedDecimal(weight, 3)}
            </span>
          ),
        },
        { id: 'model.t', render: ({ t }) => format.signedDecimal(t, 1) },
        {
          id: 'model.why',
          render: ({ key }) => (
            <span className={styles.why}>{intl.formatMessage({ id: `featureWhy.${key}` })}</span>
          ),
          kind: 'text',
        },
        { id: 'model.columns', render: ({ source }) => <code className={styles.hash}>{source}</code> },
      ]}
    />
  )
}

function FeatureLine({ feature, largest }: { feature: Feature; largest: number }) {
  const intl = useIntl()
  const format = useFormat()
  const { key, group, unit, source, weight, t } = feature
  return (
    <li>
      <details>
        <summary>
          <span>{intl.formatMessage({ id: `feature.${key}` })}</span>
          <span className={styles.figure}>{format.signedDecimal(weight, 3)}</span>
          <WeightBar weight={weight} largest={largest} />
        </summary>
        <p>{intl.formatMessage({ id: `featureWhy.${key}` })}</p>
        <Small>
          {intl.formatMessage({ id: `featureGroup.${group}` })} · {intl.formatMessage({ id: `unit.${unit}` })}{' '}
          · {intl.formatMessage({ id: 'model.t' })} {format.signedDecimal(t, 1)} · <code>{source}</code>
        </Small>
      </details>
    </li>
  )
}
