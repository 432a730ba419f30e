// @module-tag rest
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { queryDayMarket, type DayMarketRace } from '../../contract/api/market.ts'
import { storeToken } from '../../src/data/client/session.ts'
import { noteLive } from '../../src/data/live.ts'
import MarketBoard from '../../src/features/market/market-board.tsx'
import { scheduled } from './race-samples.ts'
import { renderPart, server } from './render.tsx'

const DAY = '2026-11-22'
const RACES = [1, 2].map((number) => scheduled(number, { date: DAY }))

const priced = (horseNumber: number, odds: number | null, before: number | null, ten = before) => ({
  horseId: `HK-H${horseNumber}`,
  horseNumber,
  entryNumber: null,
  name: `Horse ${horseNumber}`,
  nameLanguage: 'en' as const,
  odds,
  openingOdds: before,
  thirtyMinuteOdds: before,
  tenMinuteOdds: ten,
  ranking: '',
})

const race = (index: number, runners: DayMarketRace['runners']): DayMarketRace => ({
  raceId: RACES[index]!.id,
  open: runners.length > 0,
  runners,
})

const board = () => <MarketBoard regionId="100000" day={DAY} races={RACES} />

const renderSignedIn = (width = 1280) => {
  storeToken('token-of-a-customer')
  return renderPart(board(), { width })
}

const shownRows = (): string[][] =>
  within(screen.getByTestId('market-board'))
    .getAllByRole('row')
    .slice(1)
    .map((row) => [...row.children].map(({ textContent }) => textContent ?? ''))

test('movers of all races stand in one table, steamers first, and are sorted and chosen', async () => {
  server.answer(queryDayMarket, [
    race(0, [priced(1, 5, 10), priced(2, 4, 4), priced(3, 6, 6, 10)]),
    race(1, [priced(4, 10, 5, 10)]),
  ])
  const { user } = await renderSignedIn()
  await screen.findByTestId('market-board')
  const horses = (): string[] => shownRows().map(([, horse]) => horse!)
  expect(horses()).toEqual(['1Horse 1', '3Horse 3', '4Horse 4'])
  // No race has a result.
  expect(screen.queryByRole('columnheader', { name: /^Place/ })).toBeNull()
  expect(shownRows()[0]!.slice(2, 8)).toEqual(['10.0', '10.0', '10.0', '5.0', '−50% Steamer', '−50% Steamer'])
  expect(shownRows()[1]!.slice(6, 8)).toEqual(['0%', '−40% Steamer'])
  await user.click(screen.getByRole('button', { name: /^Change/ }))
  expect(horses()[0]).toBe('4Horse 4')
  expect(screen.getByRole('columnheader', { name: /^Change/ }).getAttribute('aria-sort')).toBe('descending')
  await user.click(screen.getByRole('radio', { name: 'Late movers (2)' }))
  expect(horses()).toEqual(['3Horse 3', '1Horse 1'])
  await user.click(screen.getByRole('radio', { name: 'All (4)' }))
  expect(horses()).toHaveLength(4)
})

test('once there is a result, where each mover finished stands in a column that sorts', async () => {
  server.answer(queryDayMarket, [
    race(0, [
      { ...priced(1, 5, 10), ranking: '2' },
      { ...priced(2, 10, 5), ranking: 'PU' },
      { ...priced(3, 6, 3), ranking: '1' },
    ]),
    race(1, [priced(4, 4, 9)]),
  ])
  const { user } = await renderSignedIn(390)
  await screen.findByTestId('market-board')
  const placed = (): string[] => shownRows().map((cells) => `${cells[1]} ${cells.at(-1)}`)
  expect(placed()).toHaveLength(4)
  expect(screen.queryByRole('columnheader', { name: /^First/ })).toBeNull()
  await user.click(screen.getByRole('button', { name: /^Place/ }))
  expect(placed()).toEqual(['3Horse 3 1', '1Horse 1 2', '2Horse 2 PU', '4Horse 4 –'])
  await user.click(screen.getByRole('button', { name: /^Place/ }))
  expect(placed()[0]).toBe('1Horse 1 2')
})

test('new odds of one of its races are asked for, those of another are not', async () => {
  server.answer(queryDayMarket, [race(0, [priced(1, 5, 10)])])
  await renderSignedIn(390)
  await screen.findByTestId('market-board')
  const told = (raceId: string): void =>
    noteLive({
      type: 'odds',
      id: raceId,
      at: '2026-11-22T06:00:00.000Z',
      raceId,
      data: [{ horseNumber: 1, odds: 3, createTime: '2026-11-22T06:00:00.000Z' }],
    })
  const asked = () => server.made.filter(({ path }) => path.endsWith('queryDayMarket')).length
  told('HKSHT2019010101')
  server.answer(queryDayMarket, [race(0, [priced(1, 3, 10)])])
  told(RACES[0]!.id)
  told(RACES[1]!.id)
  await waitFor(() => expect(shownRows()[0]!.at(-1)).toMatch(/^−70%/), { timeout: 8000 })
  expect(asked()).toBe(2)
})

test('what is closed, not recorded or moved little is said', async () => {
  server.answer(queryDayMarket, [race(0, []), race(1, [])])
  const { unmount } = await renderSignedIn()
  expect(await screen.findByText(/You have opened none of the 2 races/)).toBeTruthy()
  expect(screen.queryByTestId('market-board')).toBeNull()
  unmount()
  server.answer(queryDayMarket, [race(0, [priced(1, 5, null)]), race(1, [])])
  const second = await renderSignedIn()
  expect(await screen.findByText(/Only the last odds of this day are known/)).toBeTruthy()
  expect(screen.getByText(/Shown: 1 of 2 races/)).toBeTruthy()
  second.unmount()
  server.answer(queryDayMarket, [race(0, [priced(1, 5, 5)]), race(1, [priced(2, 3, 3)])])
  await renderSignedIn()
  expect(await screen.findByText('No odds have moved that much.')).toBeTruthy()
})

test('a visitor is asked to sign in, without a call', async () => {
  await renderPart(board())
  expect(await screen.findByText(/Sign in to see how the odds/)).toBeTruthy()
  expect(server.made.filter(({ path }) => path.endsWith('queryDayMarket'))).toEqual([])
})

test('races without a prediction are not among those that a reader may open', async () => {
  server.answer(queryDayMarket, [race(0, [priced(1, 5, 10)]), race(1, [])])
  storeToken('token-of-a-customer')
  const races = [RACES[0]!, { ...RACES[1]!, predicted: false }]
  await renderPart(<MarketBoard regionId="100000" day={DAY} races={races} />)
  await screen.findByTestId('market-board')
  expect(screen.queryByText(/once you open them/)).toBeNull()
})
