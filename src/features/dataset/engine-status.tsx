import { useIsFetching } from '@tanstack/react-query'
import { FormattedMessage } from 'react-intl'
import { retryEngine, useEngineState } from '../../data/analytics/engine-state.ts'
import { ANALYTICS_KEY } from '../../data/analytics/use-analytics.ts'
import { useFormat } from '../../i18n/format.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorNotice, Notice } from '../../ui/panel.tsx'
import { Small } from '../../ui/layout.tsx'
import { BETWEEN_FACTS } from '../../i18n/between-facts.ts'

/** Shows where the figures were computed, and the progress of the engine on this device. */
export function EngineStatus({ computed }: { computed: 'local' | 'remote' | null }) {
  const state = useEngineState()
  const format = useFormat()
  const fetching = useIsFetching({ queryKey: [ANALYTICS_KEY] })
  const { progress } = state.kind === 'opening' ? state : { progress: null }
  return (
    <>
      <Small
        role="status"
        data-testid="computed"
        data-computed={computed ?? ''}
        data-engine={state.kind}
        data-fetching={fetching}
      >
        {computed === null ? null : <FormattedMessage id={`dataset.computed.${computed}`} />}
        {state.kind === 'opening' ? (
          <>
            {BETWEEN_FACTS}
            {progress?.stage === 'fetching' ? (
              <FormattedMessage
                id="dataset.fetching"
                values={{ done: format.bytes(progress.doneBytes), total: format.bytes(progress.totalBytes) }}
              />
            ) : (
              <FormattedMessage id={progress?.stage === 'opening' ? 'dataset.opening' : 'dataset.starting'} />
            )}
          </>
        ) : null}
      </Small>
      {state.kind === 'failed' && state.error.code !== 'offline' ? (
        <Notice kind="warn">
          <ErrorNotice error={state.error} />
          <FormattedMessage id="dataset.serverAnswers" tagName="p" />
          <Button onClick={retryEngine} text="common.retry" />
        </Notice>
      ) : null}
    </>
  )
}
