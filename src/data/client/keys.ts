import type { QueryClient, QueryKey } from '@tanstack/react-query'

/** Resources of one race: all of them change together when its tip or result does. */
const RACE_RESOURCES = [
  'race',
  'competitors',
  'predictions',
  'report',
  'locks',
  'market',
  'odds-track',
] as const
type RaceResource = (typeof RACE_RESOURCES)[number]

/** All other resources that screens request. */
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

/** The query key of a response: its resource and parameters. Types only allow the listed resources. */
export const keyOf = (resource: Resource, ...of: readonly unknown[]): QueryKey => [resource, ...of]

/** Refetches responses: all of a resource, or those whose key starts with the given one. */
export const askAgain = (client: QueryClient, ...keys: readonly (Resource | QueryKey)[]): Promise<unknown> =>
  Promise.all(
    keys.map((key) => client.invalidateQueries({ queryKey: typeof key === 'string' ? keyOf(key) : key })),
  )

/** The keys of all resources of one race. */
export const raceKeys = (raceId: string): QueryKey[] =>
  RACE_RESOURCES.map((resource) => keyOf(resource, raceId))
