import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { queryRaceHorse } from '../../contract/api/horse.ts'
import { queryRace, queryRacePageDesc } from '../../contract/api/racing.ts'
import { PaletteTool } from '../../src/features/palette/palette-tool.tsx'
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
