import type { QueryClient, QueryKey } from '@tanstack/react-query'

/** What answers are about one race: all of them change together when its tip or result does. */
export const RACE_RESOURCES = [
  'race',
  'competitors',
  'predictions',
  'report',
  'locks',
  'market',
  'odds-track',
] as const
export type RaceResource = (typeof RACE_RESOURCES)[number]

/** Every other resource that a screen asks for. */
const RESOURCES = [
  'account',
  'accuracy',
  'activations',
  'ads',
  'analytics-tokens',
  'application',
  'bank-cards',
  'cards',
  'coming',
  'dividends',
  'inviter',
  'lab-bets',
  'config',
  'dictionary',
  'discount',
  'extra-texts',
  'frozen-bets',
  'frozen-rules',
  'horse',
  'horse-search',
  'horses',
  'last-record',
  'manifest',
  'model-card',
  'notes',
  'order',
  'orders',
  'own-data',
  'own-record',
  'plans',
  'predictions-total',
  'promotion',
  'races',
  'schedule',
  'saved-views',
  'sessions',
  'shared-view',
  'share-log',
  'stadiums',
  'tips',
  'vouchers',
  'withdrawals',
] as const
export type Resource = (typeof RESOURCES)[number] | RaceResource

/** The key of an answer: its resource, and what it is of. A resource that is not listed is no key. */
export const keyOf = (resource: Resource, ...of: readonly unknown[]): QueryKey => [resource, ...of]

/** Makes answers be asked again: every one of a resource, or those that begin with a key. */
export const askAgain = (client: QueryClient, ...keys: readonly (Resource | QueryKey)[]): Promise<unknown> =>
  Promise.all(
    keys.map((key) => client.invalidateQueries({ queryKey: typeof key === 'string' ? keyOf(key) : key })),
  )

/** The keys of everything that is shown of one race. */
export const raceKeys = (raceId: string): QueryKey[] =>
  RACE_RESOURCES.map((resource) => keyOf(resource, raceId))
