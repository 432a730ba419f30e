/** What a source may say of races and their runners, in the words of the import's report. */
export const FACTS = {
  'race name': 'names of races',
  'post time': 'post times',
  class: 'classes',
  distance: 'distances',
  track: 'turf or dirt',
  going: 'going',
  'saddle number': 'saddle numbers',
  jockey: 'jockeys',
  trainer: 'trainers',
  draw: 'draws',
  weight: 'weights carried',
  rating: 'ratings',
  gear: 'gear',
  order: 'the order behind the winner',
  margin: 'margins',
  time: 'running times',
  sections: 'sectional times',
  odds: 'win odds',
  dividends: 'dividends beyond win and place',
} as const

export type Fact = keyof typeof FACTS

/** All facts but these. */
export const allBut = (...facts: readonly Fact[]): Fact[] =>
  (Object.keys(FACTS) as Fact[]).filter((fact) => !facts.includes(fact))
