/** Groups in which reasons are shown: a group's value is the sum of its features' contributions. */
export const FEATURE_GROUPS = [
  'ability',
  'form',
  'speed',
  'jockey',
  'trainer',
  'draw',
  'rating',
  'weight',
  'experience',
  'rest',
  'pace',
  'preference',
  'body',
  'gear',
] as const
export type FeatureGroup = (typeof FEATURE_GROUPS)[number]
