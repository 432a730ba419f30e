import { lazy, Suspense } from 'react'
import { useCompetitors, useRace, zoneOfRace } from '../../data/use-race.ts'
import { RaceHeader } from '../../features/race/race-header.tsx'
import { RaceStrip } from '../../features/race/race-strip.tsx'
import { RaceAddress, RaceError } from '../../features/session/race-address.tsx'
import { Skeleton } from '../../ui/panel.tsx'
import { Deferred } from '../../ui/behaviour/deferred.tsx'
import { Stack } from '../../ui/layout.tsx'

const load = () => import('./race-body.tsx')
const RaceBody = lazy(load)
// Preloaded together with the header without waiting; an error is shown where the part is rendered.
void load().catch(() => null)

export function HorseRaceScreen() {
  return <RaceAddress visitors>{(raceId) => <Race key={raceId} raceId={raceId} />}</RaceAddress>
}

function Race({ raceId }: { raceId: string }) {
  const race = useRace(raceId)
  const runners = useCompetitors(raceId)
  if (race.error && !race.data) return <RaceError error={race.error} onRetry={() => void race.refetch()} />
  if (!race.data) return <Skeleton height={420} />
  const waiting = <Skeleton height={360} />
  return (
    <Stack tight>
      <RaceStrip race={race.data} />
      <RaceHeader race={race.data} runners={runners.data ?? []} timeZone={zoneOfRace(race.data)} />
      <Deferred waiting={waiting}>
        <Suspense fallback={waiting}>
          <RaceBody race={race.data} runners={runners} />
        </Suspense>
      </Deferred>
    </Stack>
  )
}
