import { fetchSubscribedRaces } from '../../data/racing-calls.ts'
import { RaceList } from './race-list.tsx'

/** Races that the reader subscribed to: open to him for ever. */
export function SubscriptionsScreen() {
  return (
    <RaceList
      source="subscribe"
      title="title.subscriptions"
      lead="races.subscribedLead"
      empty="races.noneSubscribed"
      fetchPage={fetchSubscribedRaces}
    />
  )
}
