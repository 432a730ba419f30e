import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { queryHorseInfo, queryRaceHorse } from '../../contract/api/horse.ts'
import { queryRace, queryRaceInfo, queryRacePageDesc } from '../../contract/api/racing.ts'
import { PaletteTool } from '../../src/features/palette/palette-tool.tsx'
import { inTab } from '../../src/storage/stored-text.ts'
import { horseInfo, raceInfo } from './race-samples.ts'
import { MANIFEST } from './record.tsx'
import { address, renderPart, server } from './render.tsx'

test('what is typed finds actions too: colours and language are changed from the keyboard', async () => {
  server.manifest = MANIFEST
  server.answer(queryRace, [])
  server.answer(queryRacePageDesc, [])
  server.answer(queryRaceHorse, { records: [], total: 0, size: 8, current: 1, pages: 0 })
  const { user } = await renderPart(<PaletteTool />, { parts: ['palette'] })
  await user.click(screen.getByRole('button', { name: 'Search' }))
  const field = await screen.findByRole('searchbox')
  expect(screen.queryByText('Colours: Dark')).toBeNull()
  // Those of the page are there at once.
  expect(
    within(screen.getByRole('group', { name: 'Actions' }))
      .getAllByRole('option')
      .map((option) => option.textContent),
  ).toEqual(['Filter the record by…', 'Copy the link to this page', 'Keyboard shortcuts?'])
  await user.type(field, 'dark')
  const group = await screen.findByRole('group', { name: 'Actions' })
  expect(
    within(group)
      .getAllByRole('option')
      .map((option) => option.textContent),
  ).toEqual(['Colours: Dark'])
  await user.keyboard('{ArrowDown}{Enter}')
  await waitFor(() => expect(document.documentElement.dataset['theme']).toBe('dark'))
  delete document.documentElement.dataset['theme']
})

test('a screen that was opened by the search is offered first when it is opened again', async () => {
  server.manifest = MANIFEST
  server.answer(queryRace, [])
  server.answer(queryRacePageDesc, [])
  server.answer(queryRaceHorse, { records: [], total: 0, size: 8, current: 1, pages: 0 })
  const { user } = await renderPart(<PaletteTool />, { parts: ['palette'] })
  await user.click(screen.getByRole('button', { name: 'Search' }))
  await user.type(await screen.findByRole('searchbox'), 'model card')
  expect(screen.queryByRole('group', { name: 'Opened last' })).toBeNull()
  await user.keyboard('{ArrowDown}{Enter}')
  await waitFor(() => expect(address()).toContain('/pages/race/ModelCard'))
  await user.click(screen.getByRole('button', { name: 'Search' }))
  const recent = await screen.findByRole('group', { name: 'Opened last' })
  expect(
    within(recent)
      .getAllByRole('option')
      .map((option) => option.textContent),
  ).toEqual(['Model card'])
  expect(screen.getAllByRole('option')[0]!.textContent).toBe('Model card')
})

test('what was opened last in another language is called as the page’s language calls it', async () => {
  server.manifest = MANIFEST
  server.answer(queryRace, [])
  server.answer(queryHorseInfo, horseInfo({ name: '金里', nameLanguage: 'zh-Hant' }))
  server.answer(queryRaceInfo, raceInfo({ stadiumName: '沙田', raceNumber: 3 }))
  inTab.writeJson('palette-recent', [
    { to: '/pages/race/ModelCard', label: 'Model card', language: 'en' },
    { to: `/pages/race/HorseRace?id=${raceInfo().raceId}`, label: 'Sha Tin · Race 3', language: 'en' },
    { to: '/pages/race/HorseDetail?id=HK-H7', label: 'Golden Mile', language: 'en' },
    // Called so in this language already: not asked for.
    { to: '/pages/race/HorseDetail?id=HK-H8', label: '快友', language: 'zh-Hant' },
  ])
  const { user } = await renderPart(<PaletteTool />, { parts: ['palette'], language: 'zh-Hant' })
  await user.click(screen.getByRole('button', { name: '搜尋' }))
  const recent = await screen.findByRole('group', { name: '最近開啟' })
  await waitFor(() =>
    expect(
      within(recent)
        .getAllByRole('option')
        .map((option) => option.textContent),
    ).toEqual([
      '模型說明卡',
      expect.stringMatching(/^沙田\u00a0· 第3場\u00a0· 2026年1月4日/),
      '金里',
      '快友',
    ]),
  )
})
