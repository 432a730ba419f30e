import { QueryClient, skipToken, type QueryKey } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { uploadAvatar } from '../../contract/api/account.ts'
import { changeNote, deleteNote } from '../../contract/api/note.ts'
import { queryOddsTrack, queryRaceInfo, queryRaceTips } from '../../contract/api/racing.ts'
import { getDictItems } from '../../contract/api/site.ts'
import { call, queryFor, askAgain, raceKeys } from '../../src/data/client/call.ts'
import type { Token } from '../../src/data/client/session.ts'
import { server } from './render.tsx'

const TOKEN = 'token' as Token

/** What the page derives from an endpoint of the contract: its request, and its query’s key. */

test('a field is sent where the endpoint has it: in the path, the address or the body', async () => {
  server.answer(getDictItems, [])
  await call(getDictItems, { dictCode: 'gender' })
  server.answer(deleteNote, { deleted: true })
  await call(deleteNote, { id: 'first' })
  server.answer(changeNote, { changed: true })
  await call(changeNote, { id: 'first', content: 'Wide draw.' })
  server.answer(uploadAvatar, { avatarUrl: '/picture.png' })
  await call(uploadAvatar, { file: new Blob(['picture']) })
  expect(server.made).toMatchObject([
    { method: 'GET', path: '/sys/dict/getDictItems/gender', query: {}, body: null },
    { method: 'DELETE', path: deleteNote.path, query: { id: 'first' }, body: null },
    { method: 'POST', path: changeNote.path, query: {}, body: { id: 'first', content: 'Wide draw.' } },
    { method: 'POST', path: uploadAvatar.path, query: {}, body: expect.any(FormData) },
  ])
})

test('fields without a value are not sent, and without an input no request is made', async () => {
  server.answer(queryRaceTips, [])
  await call(queryRaceTips, { today: '2026-01-30', countryRegionId: null })
  expect(server.made.map(({ query }) => query)).toEqual([{ today: '2026-01-30' }])
  expect(queryFor(queryRaceInfo, null, null).queryFn).toBe(skipToken)
})

test('what is requested again for a race are its own responses, in every language and for every token', async () => {
  const client = new QueryClient()
  const [race, other] = ['HKSHT2026013001', 'HKSHT2026013002']
  const keys: Readonly<Record<string, QueryKey>> = {
    english: queryFor(queryRaceInfo, { raceId: race }, 'en', null).queryKey,
    chinese: queryFor(queryRaceInfo, { raceId: race }, 'zh-Hant', TOKEN).queryKey,
    track: queryFor(queryOddsTrack, { rprId: '7' }, race, TOKEN).queryKey,
    otherRace: queryFor(queryRaceInfo, { raceId: other }, 'en', null).queryKey,
    otherTrack: queryFor(queryOddsTrack, { rprId: '7' }, other, TOKEN).queryKey,
    tips: queryFor(queryRaceTips, { today: '2026-01-30', countryRegionId: '100000' }, 'en', TOKEN).queryKey,
  }
  for (const key of Object.values(keys)) client.setQueryData(key, {})
  const stale = (): string[] =>
    Object.entries(keys).flatMap(([name, key]) => (client.getQueryState(key)?.isInvalidated ? [name] : []))
  await askAgain(client, ...raceKeys(race))
  expect(stale()).toEqual(['english', 'chinese', 'track'])
  await askAgain(client, queryRaceTips)
  expect(stale()).toEqual(['english', 'chinese', 'track', 'tips'])
})
