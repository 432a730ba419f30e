import { lazy, Suspense, useRef } from 'react'
import { outlineOf } from '../../../domain/course-outline.ts'
import { useCurrencyOf } from '../../data/use-region.ts'
import { useCompetitors, useRace } from '../../data/use-race.ts'
import { RaceHeader } from '../../features/race/race-header.tsx'
import { RaceLine } from '../../features/race/race-line.tsx'
import { RaceStrip } from '../../features/race/race-strip.tsx'
import { RaceAddress, RaceError } from '../../features/session/race-address.tsx'
import { Skeleton } from '../../ui/panel.tsx'
import { lazyOrNothing } from '../../ui/behaviour/lazy-or-nothing.ts'
import { useWide } from '../../ui/behaviour/use-wide.ts'
import { Deferred } from '../../ui/behaviour/deferred.tsx'
import { Stack } from '../../ui/layout.tsx'
import { NumbersOf } from '../../ui/number-cloth.tsx'

const load = () => import('./race-body.tsx')
const RaceBody = lazy(load)
const CourseSketch = lazyOrNothing(() => import('../../features/race/course-sketch.tsx'))
// Preloaded together with the header without waiting; an error is shown where the part is rendered.
void load().catch(() => null)

export function HorseRaceScreen() {
  return <RaceAddress visitors>{(raceId) => <Race key={raceId} raceId={raceId} />}</RaceAddress>
}

function Race({ raceId }: { raceId: string }) {
  const race = useRace(raceId)
  const runners = useCompetitors(raceId)
  useCurrencyOf(race.data?.countryRegionId)
  const header = useRef<HTMLElement>(null)
  const wide = useWide()
  if (race.error && !race.data) return <RaceError error={race.error} onRetry={() => void race.refetch()} />
  if (!race.data) return <Skeleton height={420} />
  const waiting = <Skeleton height={360} />
  return (
    <NumbersOf race={race.data}>
      <Stack tight>
        <RaceStrip race={race.data}>
          <RaceLine race={race.data} header={header} />
        </RaceStrip>
        <RaceHeader
          ref={header}
          race={race.data}
          runners={runners.data ?? []}
          aside={
            wide && outlineOf(race.data) !== null ? (
              <Suspense fallback={null}>
                <CourseSketch race={race.data} runners={runners.data ?? []} beside />
              </Suspense>
            ) : null
          }
        />
        <Deferred waiting={waiting}>
          <Suspense fallback={waiting}>
            <RaceBody race={race.data} runners={runners} />
          </Suspense>
        </Deferred>
      </Stack>
    </NumbersOf>
  )
}
