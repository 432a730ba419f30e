import { placesFor } from '../../domain/pool-rules.ts'
import { seasonOf } from '../../domain/region.ts'
import { simulateSeason } from '../../server/ingest/demo/demonstration.ts'
import { DEMO_REGIONS } from '../../server/ingest/demo/regions.ts'
import type { SimulatedRace } from '../../server/ingest/demo/race-simulator.ts'
import type { PricedRace } from '../../server/store/racing/history-store.ts'

const HONG_KONG = DEMO_REGIONS[0]!

function asPriced({ race }: SimulatedRace): PricedRace {
  const field = race.runners.filter(({ status }) => status !== 'withdrawn')
  return {
    id: race.id,
    date: race.date,
    season: seasonOf(HONG_KONG.rules, race.date),
    stadiumId: race.stadiumId,
    track: race.track ?? '',
    course: race.course ?? '',
    distanceM: race.distanceM,
    raceClass: race.raceClass ?? '',
    going: race.going ?? '',
    whole: true,
    places: placesFor(HONG_KONG.rules, race.runners.length),
    status: race.status,
    starters: field.map((runner) => ({
      horseId: `HK-${runner.brand}`,
      horseNo: runner.horseNo!,
      jockeyId: runner.jockey?.name ?? null,
      trainerId: runner.trainer?.name ?? null,
      draw: runner.draw,
      weightLb: runner.actualWeightLb,
      bodyLb: runner.declaredWeightLb,
      rating: runner.rating,
      gear: runner.gear,
      place: runner.place,
      timeMs: runner.finishTimeMs,
      calls: runner.runningPosition,
    })),
    odds: new Map(
      field.flatMap(({ horseNo, winOdds }) => (winOdds === null ? [] : [[horseNo!, winOdds] as const])),
    ),
  }
}

/** The Hong Kong races of the demonstration that were run before a day, about two years of them. */
export function simulatedHistory(today = '2026-11-21', days = 800): PricedRace[] {
  return simulateSeason(HONG_KONG, today, days)
    .map(asPriced)
    .filter(({ status }) => status === 'final')
}
