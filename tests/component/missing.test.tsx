import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { queryHorseInfo } from '../../contract/api/horse.ts'
import { queryRaceCompetitor, queryRaceInfo } from '../../contract/api/racing.ts'
import { queryRaceReport } from '../../contract/api/report.ts'
import { configAll } from '../../contract/api/site.ts'
import { LANGUAGES } from '../../domain/languages.ts'
import { HorseDetailScreen } from '../../src/screens/horse-detail/horse-detail-screen.tsx'
import { HorseRaceScreen } from '../../src/screens/horse-race/horse-race-screen.tsx'
import { NotFoundScreen } from '../../src/screens/not-found/not-found-screen.tsx'
import { ContactScreen } from '../../src/screens/promotion/contact-screen.tsx'
import { ReportViewScreen } from '../../src/screens/report-view/report-view-screen.tsx'
import { MANIFEST, signIn } from './record.tsx'
import { renderPart, server } from './render.tsx'

/** Addresses of what does not exist: a reader is told what is missing, and led on. */

const ways = (): (string | null)[] => screen.getAllByRole('link').map((link) => link.getAttribute('href'))
const WAYS = ['#/', '#/pages/race/racehome', '#/pages/race/PredictionResults', '#/pages/race/WinLossRecord']

const RACE = { HorseRace: HorseRaceScreen, ReportView: ReportViewScreen }
for (const [name, Screen] of Object.entries(RACE))
  for (const id of ['HKSHT2026010499', 'HKXXX2026010401', 'nonsense', ''])
    test(`${name} of the race “${id}” leads on`, async () => {
      signIn('member')
      const refusal = [404, 'We don’t have that race.', { error: 'no-such-race' }] as const
      for (const call of [queryRaceInfo, queryRaceCompetitor, queryRaceReport])
        server.refuse(call, ...refusal)
      await renderPart(<Screen />, { path: `/pages/race/${name}?id=${id}`, parts: ['report'] })
      expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe('We don’t have that race.')
      expect(ways()).toEqual(WAYS)
      expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull()
    })

test('a race that could not be loaded can be tried again', async () => {
  server.fail(queryRaceInfo)
  server.fail(queryRaceCompetitor)
  await renderPart(<HorseRaceScreen />, { path: '/pages/race/HorseRace?id=HKSHT2026010401' })
  await screen.findByRole('button', { name: 'Try again' })
  expect(screen.queryByRole('heading', { level: 1 })).toBeNull()
})

test.for([
  ['en', 'We don’t have that horse. Try search.'],
  ['zh-Hant', '找不到這匹馬，請試用搜尋。'],
  ['zh-Hans', '找不到这匹马，请试用搜索。'],
] as const)('a horse that does not exist leads on: %s', async ([language, words]) => {
  server.refuse(queryHorseInfo, 404, 'not found', { error: 'not-found' })
  await renderPart(<HorseDetailScreen />, {
    path: '/pages/race/HorseDetail?id=HK-X999',
    language,
    parts: ['horse'],
  })
  const heading = await screen.findByRole('heading', { level: 1 })
  expect(heading.textContent).toBe(words)
  expect(ways()).toEqual(WAYS)
})

test('an address without a horse, and an unknown address, lead on too', async () => {
  const { unmount } = await renderPart(<HorseDetailScreen />, {
    path: '/pages/race/HorseDetail',
    parts: ['horse'],
  })
  expect(ways()).toEqual(WAYS)
  unmount()
  await renderPart(<NotFoundScreen />)
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Page not found')
  expect(ways()).toEqual(WAYS)
})

test.for(LANGUAGES)('a customer is not told how to run the site: %s', async (language) => {
  server.manifest = MANIFEST
  server.answer(configAll, [{ code: 'showContactUs', codeValue: '1' }])
  await renderPart(<ContactScreen />, { parts: ['account'], language })
  await waitFor(() => expect(screen.getAllByRole('link')).toHaveLength(2))
  expect(document.body.textContent).not.toMatch(/contactEmail|docs\/|\.md/)
})
