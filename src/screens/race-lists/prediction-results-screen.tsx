import { fetchRacePageDesc } from '../../data/racing-calls.ts'
import { RaceList } from './race-list.tsx'

/** Races that have been run, and what was predicted of them. */
export function PredictionResultsScreen() {
  return (
    <RaceList
      source="pr"
      title="title.results"
      lead="races.resultsLead"
      empty="races.empty"
      fetchPage={fetchRacePageDesc}
    />
  )
}
