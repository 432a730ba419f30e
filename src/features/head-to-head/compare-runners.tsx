import { useState } from 'react'
import { FormattedMessage } from 'react-intl'
import { inProgramOrder } from '../../../domain/program-number.ts'
import type { Competitor, RaceInfo } from '../../../contract/api/racing.ts'
import { headToHeadPath } from '../../data/head-to-head-path.ts'
import { numberedName } from '../../i18n/names.ts'
import { ExtraTexts } from '../../i18n/extra-texts.tsx'
import { SelectField } from '../../ui/fields/select.tsx'
import { LinkButton, Row, Stack } from '../../ui/layout.tsx'
import { Panel, Skeleton } from '../../ui/panel.tsx'
import styles from './head-to-head.module.css'
import { WhyBetween } from './why-between.tsx'

/** Of the panel before its words are known. */
const HEIGHT = 140

interface CompareRunnersProps {
  race: RaceInfo
  runners: readonly Competitor[]
}

/** Two runners of a race, chosen from its list: why their chances differ, for who may see these, and the way to the races of both. */
export default function CompareRunners({ race, runners }: CompareRunnersProps) {
  const [first, second] = runners
  if (!first || !second) return null
  return (
    <ExtraTexts part="head-to-head" waiting={<Skeleton height={HEIGHT} />}>
      <Panel title={<FormattedMessage id="headToHead.between" />}>
        <Chooser race={race} runners={runners} first={first} second={second} />
      </Panel>
    </ExtraTexts>
  )
}

interface ChooserProps extends CompareRunnersProps {
  first: Competitor
  second: Competitor
}

function Chooser({ race, runners, first, second }: ChooserProps) {
  const [one, setOne] = useState(first.horseId)
  const [two, setTwo] = useState(second.horseId)
  const offered = (without: string) =>
    inProgramOrder(runners)
      .filter(({ horseId }) => horseId !== without)
      .map((runner) => ({ value: runner.horseId, label: numberedName(runner) }))
  const [shown, other] = [one, two].map((id) => runners.find(({ horseId }) => horseId === id))
  return (
    <Stack>
      <Row className={styles.chooser}>
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
      {race.isSubscribe === 1 && shown && other ? <WhyBetween race={race} one={shown} two={other} /> : null}
    </Stack>
  )
}
