import { FormattedMessage } from 'react-intl'
import { useEngineState } from '../data/analytics/engine-state.ts'
import { Notice } from '../ui/panel.tsx'
import { LinkButton } from '../ui/layout.tsx'
import { LivePanel } from './panels/live-panel.tsx'

/** Notices that concern the whole page. */
export function Notices({ history, closed }: { history: boolean; closed: boolean }) {
  const engine = useEngineState()
  return (
    <>
      {engine.kind === 'ready' && engine.opened.offline ? (
        <Notice kind="warn">
          <FormattedMessage id="record.offline" tagName="p" />
        </Notice>
      ) : null}
      {closed ? (
        <Notice kind="warn">
          <FormattedMessage id="workspace.ownClosed" tagName="p" />
        </Notice>
      ) : null}
      {history ? null : (
        <Notice>
          <FormattedMessage id="record.visitor" tagName="p" />
          <LinkButton to="/pages/race/viplist">
            <FormattedMessage id="record.upsell" />
          </LinkButton>
        </Notice>
      )}
      <LivePanel />
    </>
  )
}
