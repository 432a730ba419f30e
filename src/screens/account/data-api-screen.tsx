import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { FormattedMessage } from 'react-intl'
import { exportData } from '../../../contract/api/account.ts'
import { call } from '../../data/client/call.ts'
import { AnalyticsTokens } from '../../features/account/analytics-tokens.tsx'
import { saveFile } from '../../ui/behaviour/save-file.ts'
import { Button } from '../../ui/button.tsx'
import { PageTitle, Row, Stack } from '../../ui/layout.tsx'
import { ErrorNotice, Panel } from '../../ui/panel.tsx'
import texts from '../../ui/text.module.css'

/** The customer's own data in one file, and the tokens with which programs ask what the customer may see. */
export function DataApiScreen() {
  const saving = useMutation({
    mutationFn: () => call(exportData, {}),
    onSuccess: (data) =>
      saveFile('furlong-data.json', new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' })),
  })
  return (
    <Stack narrow>
      <PageTitle title="title.dataApi" />
      <Panel title={<FormattedMessage id="person.data" />}>
        <p className={texts.soft}>
          <FormattedMessage id="person.dataHint" />
        </p>
        {saving.error ? <ErrorNotice error={saving.error} /> : null}
        <Row>
          <Button busy={saving.isPending} onClick={() => saving.mutate()}>
            <Download aria-hidden="true" size={16} />
            <FormattedMessage id="person.download" />
          </Button>
        </Row>
      </Panel>
      <AnalyticsTokens />
    </Stack>
  )
}
