import { useState } from 'react'
import { FormattedMessage } from 'react-intl'
import type { Competitor } from '../../../contract/api/racing.ts'
import { headToHeadPath } from '../../data/head-to-head-path.ts'
import { ExtraTexts } from '../../i18n/extra-texts.tsx'
import { SelectField } from '../../ui/fields/select.tsx'
import { LinkButton, Row } from '../../ui/layout.tsx'
import { Panel, Skeleton } from '../../ui/panel.tsx'

/** Of the panel before its words are known. */
const HEIGHT = 140

/** Two runners of a race, chosen from its list, and the way to the races of both. */
export default function CompareRunners({ runners }: { runners: readonly Competitor[] }) {
  const [first, second] = runners
  if (!first || !second) return null
  return (
    <ExtraTexts part="head-to-head" waiting={<Skeleton height={HEIGHT} />}>
      <Panel title={<FormattedMessage id="headToHead.between" />}>
        <Chooser runners={runners} first={first} second={second} />
      </Panel>
    </ExtraTexts>
  )
}

interface ChooserProps {
  runners: readonly Competitor[]
  first: Competitor
  second: Competitor
}

function Chooser({ runners, first, second }: ChooserProps) {
  const [one, setOne] = useState(first.horseId)
  const [two, setTwo] = useState(second.horseId)
  const offered = (without: string) =>
    runners
      .filter(({ horseId }) => horseId !== without)
      .map(({ horseId, horseNumber, name }) => ({
        value: horseId,
        label: [horseNumber, name].filter((part) => part !== null).join(' '),
      }))
  return (
    <Row>
      <SelectField
        label={<FormattedMessage id="headToHead.one" />}
        value={one}
        options={offered(two)}
        onChange={setOne}
      />
      <SelectField
        label={<FormattedMessage id="headToHead.two" />}
        value={two}
        options={offered(one)}
        onChange={setTwo}
      />
      <LinkButton to={headToHeadPath(one, two)} text="title.headToHead" />
    </Row>
  )
}
