import { Printer } from 'lucide-react'
import { FormattedMessage, useIntl } from 'react-intl'
import type { RaceInfo } from '../../../contract/api/racing.ts'
import { useCurrencyOf } from '../../data/use-region.ts'
import { rememberWantedRace } from '../../data/wanted-race.ts'
import { useCompetitors, useRace, useReport } from '../../data/use-race.ts'
import { RaceOrigin } from '../../features/race/predictions.tsx'
import { RaceHeader } from '../../features/race/race-header.tsx'
import { Contributions, CourseHistory, FieldTable, Settlement } from '../../features/report/report-tables.tsx'
import { Button } from '../../ui/button.tsx'
import { RaceAddress, RaceError } from '../../features/session/race-address.tsx'
import { ErrorNotice, Notice, Panel, Skeleton } from '../../ui/panel.tsx'
import { LinkButton, Row, Stack, TextLink } from '../../ui/layout.tsx'
import { NumbersOf } from '../../ui/number-cloth.tsx'
import texts from '../../ui/text.module.css'
import styles from './report-view-screen.module.css'

/** Height of what stands for the report: what follows it is then out of view, and does not jump. */
const AWAITED_HEIGHT = 900

export function ReportViewScreen() {
  return <RaceAddress>{(raceId) => <Report key={raceId} raceId={raceId} />}</RaceAddress>
}

function Report({ raceId }: { raceId: string }) {
  const intl = useIntl()
  const race = useRace(raceId)
  useCurrencyOf(race.data?.countryRegionId)
  const runners = useCompetitors(raceId)
  const open = race.data?.isSubscribe === 1
  const report = useReport(raceId, open)
  if (race.error && !race.data) return <RaceError error={race.error} onRetry={() => void race.refetch()} />
  if (!race.data) return <Skeleton height={AWAITED_HEIGHT} />
  return (
    <NumbersOf race={race.data}>
      <Stack as="article">
        <Row spread className={styles.noPrint}>
          <TextLink to={`/pages/race/HorseRace?id=${raceId}`} text="report.toRace" />
          {open ? (
            <Button disabled={!report.data} onClick={() => globalThis.print()}>
              <Printer aria-hidden="true" size={16} />
              <FormattedMessage id="report.print" />
            </Button>
          ) : null}
        </Row>
        <RaceHeader race={race.data} runners={runners.data ?? []} report />
        <WhatIsMissing race={race.data} />
        {report.error && !report.data ? (
          <ErrorNotice error={report.error} onRetry={() => void report.refetch()} />
        ) : null}
        {open && report.isPending ? <Skeleton height={AWAITED_HEIGHT} /> : null}
        {report.data ? (
          <>
            <p className={`${texts.soft} ${styles.source}`}>
              <RaceOrigin race={race.data} model={report.data.model} />
              <FormattedMessage
                id="report.model"
                values={{ model: intl.formatMessage({ id: `source.${report.data.model}` }) }}
              />
            </p>
            <Panel title={<FormattedMessage id="report.field" />}>
              <FieldTable runners={report.data.runners} model={report.data.model} />
            </Panel>
            <Panel title={<FormattedMessage id="report.why" />}>
              <Contributions report={report.data} />
            </Panel>
            <Panel title={<FormattedMessage id="report.history" />}>
              {report.data.runners.some(({ courseRuns }) => courseRuns.length > 0) ? (
                <CourseHistory runners={report.data.runners} />
              ) : (
                <FormattedMessage id="report.noHistory" tagName="p" />
              )}
            </Panel>
            <Panel title={<FormattedMessage id="report.selected" />}>
              <Settlement report={report.data} />
            </Panel>
          </>
        ) : null}
      </Stack>
    </NumbersOf>
  )
}

/** That the race has no prediction, or how to unlock it. */
function WhatIsMissing({ race: { raceId, models, isSubscribe } }: { race: RaceInfo }) {
  if (models.length === 0)
    return (
      <Notice>
        <FormattedMessage id="race.notPredicted" tagName="p" />
      </Notice>
    )
  if (isSubscribe === 1) return null
  return (
    <Notice kind="warn">
      <FormattedMessage id="race.locked" tagName="p" />
      <Row>
        <LinkButton to={`/pages/race/HorseRace?id=${raceId}&tab=1`} text="report.unlock" />
        <LinkButton
          quiet
          to="/pages/race/viplist"
          onClick={() => rememberWantedRace(raceId)}
          text="subscribe.toVip"
        />
      </Row>
    </Notice>
  )
}
