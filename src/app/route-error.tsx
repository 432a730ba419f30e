import { FormattedMessage } from 'react-intl'
import { Button } from '../ui/button.tsx'
import { reloadWithNewBuild } from '../data/new-build.ts'
import { Notice } from '../ui/panel.tsx'

/** A screen that failed, or whose chunk did not come. */
export function RouteError() {
  return (
    <Notice kind="error">
      <p>
        <FormattedMessage id="common.screenFailed" />
      </p>
      <Button onClick={() => void reloadWithNewBuild()}>
        <FormattedMessage id="common.reload" />
      </Button>
    </Notice>
  )
}
