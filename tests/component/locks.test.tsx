import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { queryLockChain, queryLockedForecasts, queryRaceLocks, type Lock } from '../../contract/api/model.ts'
import { CHAIN_START, chainHash, lockHash } from '../../domain/prediction-lock.ts'
import { RaceLocks } from '../../src/features/lock/race-locks.tsx'
import { MANIFEST, signIn } from './record.tsx'
import { renderPart, server } from './render.tsx'

/** A race's locked record, and what a device remembers of the chain that it verified. */

const RACE = 'HKSHT2026112105'
const FORECAST = {
  raceId: RACE,
  modelId: 'fundamental',
  predictions: [],
  chances: [{ horseNo: 1, probability: 0.5 }],
}

/** The chain whose entries were locked at these instants. */
function chainOf(...instants: string[]): Lock[] {
  const entries: Lock[] = []
  for (const [index, lockedAt] of instants.entries()) {
    const entry = {
      number: index + 1,
      raceId: RACE,
      modelId: 'fundamental',
      sha256: lockHash(FORECAST),
      lockedAt,
    }
    entries.push({ ...entry, chain: chainHash(entries.at(-1)?.chain ?? CHAIN_START, entry) })
  }
  return entries
}

const [NINE, TEN, ELEVEN] = [9, 10, 11].map(
  (hour) => `2026-11-21T${String(hour).padStart(2, '0')}:00:00.000Z`,
)

/** Lets the server have a chain, verifies the race and returns the kind of the verdict. */
async function verdictOn(entries: Lock[]): Promise<string> {
  signIn('vip')
  server.manifest = MANIFEST
  server.answer(queryRaceLocks, { regionId: '100000', entries, changed: [] })
  server.answer(queryLockedForecasts, [FORECAST])
  server.answer(queryLockChain, ({ query }) => {
    const from = Number(query['fromNumber'] ?? 1)
    return {
      previous: entries[from - 2]?.chain ?? CHAIN_START,
      entries: entries.filter(({ number }) => number >= from),
    }
  })
  const { user, unmount } = await renderPart(
    <RaceLocks
      raceId={RACE}
      raceName="Race 5"
      date="2026-11-21"
      off="2026-11-21T12:00:00.000Z"
      open
      coming={false}
    />,
  )
  await user.click(await screen.findByRole('button', { name: 'Verify' }))
  const verdict = (await screen.findByText(/^Verif(ied:|ication failed)/)).closest('[data-verdict]')!
  const kind = verdict.getAttribute('data-verdict')!
  unmount()
  return kind
}

test('a chain that grew holds; one that lost its verified end does not, though it is whole', async () => {
  expect(await verdictOn(chainOf(NINE!, TEN!))).toBe('holds')
  expect(await verdictOn(chainOf(NINE!, TEN!, ELEVEN!))).toBe('holds')
  expect(await verdictOn(chainOf(NINE!, TEN!))).toBe('missing')
})

test('a chain that was written anew from some entry on is noticed by who verified it', async () => {
  expect(await verdictOn(chainOf(NINE!, TEN!))).toBe('holds')
  expect(await verdictOn(chainOf(NINE!, ELEVEN!))).toBe('missing')
})

test('a device that verified nothing has nothing to miss', async () => {
  expect(await verdictOn(chainOf(NINE!))).toBe('holds')
})
