import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { Link } from 'react-router-dom'
import { queryHorsePace } from '../../../contract/api/pace.ts'
import { queryFor } from '../../data/client/call.ts'
import { ExtraTexts } from '../../i18n/extra-texts.tsx'
import { useFormat } from '../../i18n/format.ts'
import { Button } from '../../ui/button.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Small, Stack } from '../../ui/layout.tsx'
import { ErrorNotice, Panel, Skeleton } from '../../ui/panel.tsx'
import { positionsText } from './positions-text.ts'
import { AgainstPar } from './against-par.tsx'

/** Of the panel before it is opened. */
const HEIGHT = 110

/** Finishing speeds and early and late pace of a horse's runs, as a panel of its screen, loaded when they are wanted. */
export default function HorsePace({ horseId }: { horseId: string }) {
  return (
    <ExtraTexts part="pace" waiting={<Skeleton height={HEIGHT} />}>
      <Panel title={<FormattedMessage id="pace.ofHorse" />}>
        <Opening horseId={horseId} />
      </Panel>
    </ExtraTexts>
  )
}

function Opening({ horseId }: { horseId: string }) {
  const [open, setOpen] = useState(false)
  if (open) return <Runs horseId={horseId} />
  return (
    <Stack tight>
      <Small text="pace.ofHorseNote" />
      <div>
        <Button onClick={() => setOpen(true)} text="pace.show" />
      </div>
    </Stack>
  )
}

function Runs({ horseId }: { horseId: string }) {
  const { locale } = useIntl()
  const format = useFormat()
  const pace = useQuery({
    ...queryFor(queryHorsePace, { id: horseId }, locale),
    staleTime: 300_000,
    retry: 1,
  })
  if (pace.error && !pace.data) return <ErrorNotice error={pace.error} onRetry={() => void pace.refetch()} />
  if (!pace.data) return <Skeleton height={HEIGHT} />
  if (pace.data.length === 0) return <FormattedMessage id="pace.noRuns" tagName="p" />
  return (
    <Stack tight>
      <DataTable
        label="pace.ofHorse"
        data-testid="horse-pace"
        rows={pace.data}
        keyOf={({ raceId }) => raceId}
        columns={[
          {
            id: 'record.day',
            render: ({ raceId, date }) => (
              <Link to={`/pages/race/HorseRace?id=${raceId}&tab=pace`}>{format.day(date)}</Link>
            ),
            kind: 'name',
          },
          { id: 'record.stadium', render: ({ stadiumName }) => stadiumName, kind: 'text' },
          {
            id: 'race.distanceM',
            render: ({ distanceM }) => (distanceM === null ? null : format.integer(distanceM)),
          },
          {
            id: 'pace.positions',
            render: ({ positions }) => positionsText(positions),
          },
          { id: 'horse.place', render: ({ place }) => place },
          {
            id: 'pace.finishing',
            render: ({ finishingSpeed }) =>
              finishingSpeed === null ? null : format.percent(finishingSpeed / 100),
          },
          { id: 'pace.early', render: ({ earlyPace }) => <AgainstPar percent={earlyPace} /> },
          { id: 'pace.late', render: ({ latePace }) => <AgainstPar percent={latePace} /> },
        ]}
      />
      <Small text="pace.finishingNote" />
    </Stack>
  )
}
