import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import {
  queryLastRacePredictionAccuracy,
  queryRace,
  queryRacePage,
  queryRacePageDesc,
  queryRaceTips,
  type ScheduledRace,
} from '../../contract/api/racing.ts'
import { HomeScreen } from '../../src/screens/home/home-screen.tsx'
import { keepOutOfView } from './browser-stand-ins.ts'
import { MANIFEST } from './record.tsx'
import { renderPart, server } from './render.tsx'

/** What the home screen asks for at its start, before anything else comes into view. */

const RACE: ScheduledRace = {
  id: 'HKSHT2099010401',
  name: null,
  stadiumName: 'Sha Tin',
  competitionDate: '2099-01-04T05:00:00.000Z',
  time: '13:00:00',
  date: '2099-01-04',
  starters: 12,
  status: 'scheduled',
  stadiumNum: 1,
  round: 1,
  distanceM: 1200,
  raceClass: null,
  trackType: null,
  course: null,
  trackCondition: null,
}

async function open(races: ScheduledRace[]): Promise<void> {
  keepOutOfView('body')
  server.manifest = MANIFEST
  server.answer(queryRace, races)
  server.answer(queryRaceTips, [])
  server.answer(queryLastRacePredictionAccuracy, [])
  server.answer(queryRacePage, [])
  server.answer(queryRacePageDesc, [])
  await renderPart(<HomeScreen />)
}
const asked = (): number => server.requestsOf(queryLastRacePredictionAccuracy).length

test('the last results are not asked for while a race is coming', async () => {
  await open([RACE])
  await screen.findByText('No tips available at the moment!')
  await screen.findByText(/Sha Tin/)
  expect(asked()).toBe(0)
})

test('between meetings the last results say what stands where, and are asked for at once', async () => {
  await open([])
  await waitFor(() => expect(asked()).toBe(1))
})
