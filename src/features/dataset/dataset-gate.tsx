import type { ReactNode } from 'react'
import { FormattedMessage } from 'react-intl'
import type { EngineProgress } from '../../../contract/engine.ts'
import { OpenedProvider, useDataset, useEngineProgress } from '../../data/use-engine.ts'
import { useRegion } from '../../data/use-region.ts'
import { useFormat } from '../../i18n/format.ts'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { Skeleton } from '../../ui/panel.tsx'
import styles from './dataset-gate.module.css'

/** Shows its children once the reader's region is open in the engine; before, how far that is. */
export function DatasetGate({ children }: { children: ReactNode }) {
  const { region } = useRegion()
  const dataset = useDataset(region?.id ?? null)
  // A list of regions that did not come is told by the frame.
  if (dataset.error && !dataset.data)
    return <ErrorNotice error={dataset.error} onRetry={() => void dataset.refetch()} />
  if (!dataset.data) return <Opening />
  return <OpenedProvider value={dataset.data}>{children}</OpenedProvider>
}

function Opening() {
  const progress = useEngineProgress()
  return (
    <div className={styles.opening}>
      <p role="status">
        <ProgressText progress={progress} />
      </p>
      {progress?.stage === 'fetching' ? (
        <progress aria-hidden="true" value={progress.doneBytes} max={progress.totalBytes} />
      ) : null}
      <Skeleton height={96} />
      <Skeleton height={280} />
    </div>
  )
}

function ProgressText({ progress }: { progress: EngineProgress | null }) {
  const format = useFormat()
  if (progress?.stage === 'fetching') {
    const values = { done: format.bytes(progress.doneBytes), total: format.bytes(progress.totalBytes) }
    return <FormattedMessage id="dataset.fetching" values={values} />
  }
  return <FormattedMessage id={progress?.stage === 'opening' ? 'dataset.opening' : 'dataset.starting'} />
}
