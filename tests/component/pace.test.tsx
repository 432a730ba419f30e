import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import {
  queryHorsePace,
  queryPaceMap,
  queryRaceSections,
  type PaceMapOfRace,
  type RaceSections,
} from '../../contract/api/pace.ts'
import HorsePace from '../../src/features/pace/horse-pace.tsx'
import RacePace from '../../src/features/pace/race-pace.tsx'
import { raceInfo, RUNNERS } from './race-samples.ts'
import { renderPart, server } from './render.tsx'

const section = (sectionNo: number, timeMs: number | null, againstPar: number | null) => ({
  sectionNo,
  position: sectionNo,
  margin: sectionNo === 1 ? '1/2' : 'SH',
  timeMs,
  speed: timeMs === null ? null : 400_000 / timeMs,
  againstPar,
})

const SECTIONS: RaceSections = {
  sections: [1, 2].map((sectionNo) => ({
    sectionNo,
    lengthM: 400,
    parMs: 24_000,
    parRaces: 31,
    parSameRaces: 4,
  })),
  runners: [
    {
      horseNumber: RUNNERS[0]!.horseNumber!,
      finishingSpeed: 101.24,
      earlyPace: null,
      latePace: 1.3,
      sections: [section(1, 25_000, -4), section(2, 23_690, 1.3)],
    },
    {
      horseNumber: RUNNERS[1]!.horseNumber!,
      finishingSpeed: null,
      earlyPace: null,
      latePace: null,
      sections: [section(1, 24_500, -2), section(2, null, null)],
    },
  ],
}

const starter = (
  horseNumber: number,
  early: number,
  given: Partial<PaceMapOfRace['starters'][number]> = {},
): PaceMapOfRace['starters'][number] => ({
  horseNumber,
  draw: horseNumber,
  early,
  low: Math.max(0, early - 0.1),
  high: Math.min(1, early + 0.1),
  rank: horseNumber,
  runs: 9,
  leads: early < 0.25,
  positions: [],
  ...given,
})

const NO_MAP: PaceMapOfRace = { leaders: 0, pressure: 0, starters: [], calls: [], record: [] }

const [FIRST, SECOND] = RUNNERS.map(({ horseNumber }) => horseNumber!)

const MAP: PaceMapOfRace = {
  leaders: 1,
  pressure: 0.56,
  starters: [starter(FIRST!, 0.1), starter(SECOND!, 0.5, { runs: 0 })],
  calls: [],
  record: [
    { season: 2023, races: 100, correlation: 0.5, led: 0.4 },
    { season: 2024, races: 300, correlation: 0.54, led: 0.375 },
  ],
}

test('the map of a coming race says who leads, how certain it is, and how good such maps were', async () => {
  server.answer(queryPaceMap, MAP)
  await renderPart(<RacePace race={raceInfo({ status: 'scheduled' })} runners={RUNNERS} />, {
    parts: ['pace'],
  })
  const table = await screen.findByTestId('pace-starters')
  expect(
    screen.getByText(new RegExp(`One horse usually leads: ${FIRST}\\. Pressure 56%: more than usual`)),
  ).toBeTruthy()
  const cells = within(table)
    .getAllByRole('cell')
    .map((cell) => cell.textContent)
  expect(cells.slice(1, 5)).toEqual(['1', 'Leads', '0%–20%', '9'])
  expect(cells.slice(6)).toEqual([String(MAP.starters[1]!.rank), '–', '40%–60%', '0'])
  expect(screen.getByText(/was 0\.53 in 400 races/)).toBeTruthy()
  expect(screen.queryByRole('radio', { name: 'Expected' })).toBeNull()
  expect(screen.queryByTestId('section-table')).toBeNull()
})

test('the positions of a race that was run are chosen with the arrow keys', async () => {
  server.answer(queryPaceMap, {
    ...MAP,
    calls: [200, 600],
    starters: [starter(FIRST!, 0.1, { positions: [2, 1] }), starter(SECOND!, 0.5, { positions: [1, 2] })],
  })
  server.answer(queryRaceSections, { sections: [], runners: [] })
  const { user, container } = await renderPart(<RacePace race={raceInfo()} runners={RUNNERS} />, {
    parts: ['pace'],
  })
  const expected = await screen.findByRole('radio', { name: 'Expected' })
  const places = (): string[] =>
    [...container.querySelectorAll('svg [style]')].map((each) => each.getAttribute('style')!)
  const before = places()
  expected.focus()
  await user.keyboard('{ArrowRight}')
  expect(screen.getByRole<HTMLInputElement>('radio', { name: 'After 200 m' }).checked).toBe(true)
  const atFirst = places()
  await user.keyboard('{ArrowRight}')
  expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Finish' }).checked).toBe(true)
  expect(new Set([before, atFirst, places()].map((each) => each.join()))).toHaveProperty('size', 3)
  expect(within(screen.getByTestId('pace-starters')).getByText('2 1')).toBeTruthy()
})

test('the sections of a finished race stand beside par, and a missing time is missing', async () => {
  server.answer(queryRaceSections, SECTIONS)
  server.answer(queryPaceMap, NO_MAP)
  await renderPart(<RacePace race={raceInfo()} runners={RUNNERS} />, { parts: ['pace'] })
  const table = await screen.findByTestId('section-table')
  expect(
    within(table)
      .getAllByRole('columnheader')
      .map((cell) => cell.textContent),
  ).toEqual(['Horse', 'Placing', 'Finishing speed', 'Early pace', 'Late pace', '0–400 m', '400–800 m'])
  const rowOf = (name: string): string[] =>
    within(within(table).getByRole('row', { name: new RegExp(name) }))
      .getAllByRole('cell')
      .map((cell) => (cell.textContent ?? '').replaceAll(/\s/g, ' '))
  expect(rowOf(RUNNERS[0]!.name).slice(1)).toEqual([
    '101.2%',
    '–',
    '+1.3%',
    '25.001 · 1/216.0 m/s · −4.0%',
    '23.692 · Short head16.9 m/s · +1.3%',
  ])
  expect(rowOf(RUNNERS[1]!.name).at(-1)).toBe('–2 · Short head')
  expect(rowOf('Par')).toEqual(['24.00', '24.00'])
  expect(screen.getByText(/31 earlier races .* of which 4 with these rails/)).toBeTruthy()
})

test('a race without sections says so', async () => {
  server.answer(queryPaceMap, NO_MAP)
  server.answer(queryRaceSections, { sections: [], runners: [] })
  await renderPart(<RacePace race={raceInfo()} runners={RUNNERS} />, { parts: ['pace'] })
  await screen.findByText(/No sectional times of this race are known/)
})

test('the figures of a horse’s runs are loaded when they are wanted', async () => {
  server.answer(queryHorsePace, [
    {
      raceId: 'HKSHT2024092203',
      date: '2024-09-22',
      stadiumName: 'Sha Tin',
      distanceM: 1200,
      place: '5',
      positions: [4, null, 5],
      finishingSpeed: 98.73,
      earlyPace: 2.6,
      latePace: null,
    },
  ])
  const { user } = await renderPart(<HorsePace horseId="HK-H403" />, { parts: ['pace'] })
  const button = await screen.findByRole('button', { name: 'Show the figures' })
  expect(screen.queryByTestId('horse-pace')).toBeNull()
  button.focus()
  await user.keyboard('{Enter}')
  const cells = within(await screen.findByTestId('horse-pace')).getAllByRole('cell')
  expect(cells.map((cell) => cell.textContent)).toEqual([
    'Sha Tin',
    '1,200',
    '4 – 5',
    '5',
    '98.7%',
    '+2.6%',
    '–',
  ])
})
