import { FormattedMessage } from 'react-intl'
import { useLocation, useNavigate } from 'react-router-dom'
import { reloadWithNewBuild } from '../data/new-build.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/panel.tsx'
import { Row } from '../ui/layout.tsx'

/** Shown when a screen failed, or its chunk could not be loaded. */
export function RouteError() {
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  return (
    <Notice kind="error">
      <FormattedMessage id="common.screenFailed" tagName="p" />
      <Row>
        <Button
          primary
          onClick={() => void navigate(pathname + search, { replace: true })}
          text="common.retry"
        />
        <Button onClick={() => void reloadWithNewBuild()} text="common.reload" />
      </Row>
    </Notice>
  )
}
