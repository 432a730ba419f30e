import { expect } from 'vitest'
import { FEED_BODIES } from '../../contract/api/feed.ts'
import { addDays } from '../../domain/region.ts'
import type { Database } from '../../server/db/database.ts'
import { takeBatch } from '../../server/ingest/feed.ts'
import { cardOf, NUMBERS, oddsOf } from './feed-day.ts'

const DAYS = 6
const PREDICTED_WITHIN_MS = 120_000

/** Stores races of six days from `day` on with their odds, which a worker predicts, and returns their ids. */
export async function takeComing(database: Database, day: string): Promise<string[]> {
  const races = Array.from({ length: DAYS }, (_, index) => addDays(day, index)).flatMap((each) =>
    NUMBERS.map((raceNo) => ({ card: cardOf(each, raceNo), odds: oddsOf(each, raceNo) })),
  )
  const cards = FEED_BODIES.cards.parse({ races: races.map(({ card }) => card) })
  await takeBatch(database, { source: 'test', key: 'cards', kind: 'cards', body: cards }, new Date())
  const odds = FEED_BODIES.odds.parse({ races: races.map((race) => race.odds) })
  await takeBatch(database, { source: 'test', key: 'odds', kind: 'odds', body: odds }, new Date())
  return races.map(({ card }) => card.raceId)
}

/** Waits until a worker has predicted every race: members spend no voucher on another. */
export async function waitForPredictions(database: Database): Promise<void> {
  const unpredicted = (): Promise<unknown[]> =>
    database.rows('select id from race where not exists (select 1 from win_chance where race_id = race.id)')
  await expect.poll(unpredicted, { timeout: PREDICTED_WITHIN_MS }).toEqual([])
}
