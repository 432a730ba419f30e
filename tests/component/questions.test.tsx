// @module-tag rest
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { queryRaceHorse } from '../../contract/api/horse.ts'
import { queryRace, queryRacePageDesc } from '../../contract/api/racing.ts'
import { querySavedViews } from '../../contract/api/view.ts'
import { PaletteTool } from '../../src/features/palette/palette-tool.tsx'
import type { Language } from '../../domain/languages.ts'
import PaletteQuestions from '../../src/workspace/questions/palette-questions.tsx'
import { PreparedConnector } from './prepared-connector.ts'
import { starter, times } from './prepared-facts.ts'
import { figuresReady, MANIFEST, openRecord, PICKS, signIn, tile } from './record.tsx'
import { address, renderPart, server } from './render.tsx'

/** Questions in words: a text becomes a view, in the search of every page and in the filter line of the record. */

const RUNS = [
  ...times(8, starter({ won: true, profit: 5000 }, { jockey: 1, racecourse: 2, draw: 1, going: 'yielding' })),
  ...times(32, starter({}, { jockey: 1, racecourse: 1, draw: 9, going: 'good' })),
  ...times(60, starter({}, { jockey: 2, racecourse: 2, draw: 9, going: 'yielding' })),
]
const NAMES = {
  jockey: { 1: ['Z Purton', '潘頓', '潘顿'], 2: ['K Teetan', '田泰安', '田泰安'] },
  racecourse: { 1: ['Sha Tin', '沙田', '沙田'], 2: ['Happy Valley', '跑馬地', '跑马地'] },
} as const
const TABLES = { predictions: PICKS, runners: RUNS, names: NAMES }

/** Opens the search of a page and types a text. */
async function ask(text: string, language: Language = 'en') {
  server.manifest = MANIFEST
  server.answer(queryRace, [])
  server.answer(queryRacePageDesc, [])
  server.answer(querySavedViews, [])
  server.answer(queryRaceHorse, { records: [], total: 0, size: 8, current: 1, pages: 0 })
  server.connect(new PreparedConnector(TABLES))
  signIn('vip')
  const { user } = await renderPart(<PaletteTool QuestionReader={PaletteQuestions} />, {
    parts: ['palette'],
    language,
  })
  await user.click(screen.getByRole('button', { name: language === 'en' ? 'Search' : '搜尋' }))
  await user.type(await screen.findByRole('searchbox'), text)
  return user
}

/** The views that are offered, each by its chips, and what is said below them. */
const offered = async (name: string): Promise<string[][]> =>
  within(await screen.findByRole('group', { name }))
    .getAllByRole('option')
    .map((option) =>
      [...option.querySelectorAll('span > span > span, small')].map((part) => part.textContent),
    )

test('a question in the search is offered as the view that it asks for, and opens it', async () => {
  const user = await ask('return of Purton at Happy Valley on yielding by draw')
  expect(await offered('Ask the record')).toEqual([
    ['Runners', 'Racecourse: Happy Valley', 'Going: Yielding', 'Jockey: Z Purton', 'By Draw', 'Return'],
  ])
  await user.keyboard('{ArrowDown}{Enter}')
  await waitFor(() => expect(address()).toContain('/pages/race/WinLossRecord?'))
  const words = new URLSearchParams(address().split('?')[1])
  expect(Object.fromEntries(words)).toEqual({
    s: 'runners',
    v: '2',
    f: 'racecourse:2~going:yielding~jockey:1',
    p: 'bars:draw!~profit!',
  })
})

test('words that are not understood are named, in the reader’s language', async () => {
  await ask('潘頓 跑馬地 好夢 檔位1至4', 'zh-Hant')
  expect(await offered('查詢紀錄')).toEqual([
    ['所有參賽馬', '馬場：跑馬地', '騎師：潘頓', '檔位：1 – 4', '未能理解：好夢'],
  ])
})

test('a name alone is searched for as before', async () => {
  await ask('Purton')
  await waitFor(() => expect(screen.queryByText('Nothing found.')).toBeTruthy())
  expect(screen.queryByRole('group', { name: 'Ask the record' })).toBeNull()
})

test('the filter line applies a question to the view on screen', async () => {
  const { user } = await openRecord({ words: 's=runners&v=2&f=going:yielding', tables: TABLES })
  expect(tile('Runs').value).toBe('68')
  await user.keyboard('f')
  const field = screen.getByRole('combobox', { name: 'Find a dimension, a value or a name' })
  await user.type(field, 'Purton with draw 1-4')
  const option = await screen.findByRole('option', { name: /Apply as a question/ })
  expect(option.textContent).toContain('Runners\u00a0· Jockey: Z Purton\u00a0· Draw: 1 – 4')
  await user.keyboard('{Enter}')
  await figuresReady()
  expect(tile('Runs').value).toBe('8')
  expect(new URLSearchParams(address().split('?')[1]).get('f')).toBe('going:yielding~jockey:1~draw:1..4')
})
