import { useMutation, useQuery } from '@tanstack/react-query'
import { FormattedMessage } from 'react-intl'
import { isInstalled, isIos } from '../../data/client/device.ts'
import { Button } from '../../ui/button.tsx'
import { Row } from '../../ui/layout.tsx'
import { ErrorNotice, Panel } from '../../ui/panel.tsx'
import texts from '../../ui/text.module.css'
import { readPushState, turnPushOff, turnPushOn } from './push-subscription.ts'

/** Notifications of this browser. */
export function PushChannel({ pushKey }: { pushKey: string }) {
  const state = useQuery({
    queryKey: ['push state'],
    queryFn: () => readPushState(isIos() && !isInstalled()),
    staleTime: 0,
  })
  const changing = useMutation({
    mutationFn: async (on: boolean) => {
      if (on) await turnPushOn(pushKey)
      else await turnPushOff()
    },
    onSettled: () => state.refetch(),
  })
  const now = state.data ?? 'off'
  return (
    <Panel title={<FormattedMessage id="alerts.push" />}>
      <p className={texts.soft}>
        <FormattedMessage id={`alerts.push.${now}`} />
      </p>
      {changing.error ? <ErrorNotice error={changing.error} /> : null}
      {now === 'on' || now === 'off' ? (
        <Row>
          <Button
            busy={changing.isPending || state.isPending}
            onClick={() => changing.mutate(now === 'off')}
            text={now === 'off' ? 'alerts.turnOn' : 'alerts.turnOff'}
          />
        </Row>
      ) : null}
    </Panel>
  )
}
