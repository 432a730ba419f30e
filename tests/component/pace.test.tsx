import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { queryHorsePace, queryRaceSections, type RaceSections } from '../../contract/api/pace.ts'
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

test('the sections of a finished race stand beside par, and a missing time is missing', async () => {
  server.answer(queryRaceSections, SECTIONS)
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
    '4-–-5',
    '5',
    '98.7%',
    '+2.6%',
    '–',
  ])
})
