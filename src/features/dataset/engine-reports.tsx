import { FormattedMessage } from 'react-intl'
import { setEngineReports, useEngineReports } from '../../data/engine-reports.ts'
import { Tick } from '../../ui/fields/text-field.tsx'

/** Lets the reader agree that errors of the engine on this device are reported. */
export function EngineReports() {
  return (
    <Tick value={useEngineReports()} onChange={setEngineReports}>
      <FormattedMessage id="dataset.reports" />
    </Tick>
  )
}
