import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Horse } from '../../contract/api/horse.ts'
import { FormChart, FormTable, HorseRecordBy } from '../../src/features/horse/horse-form.tsx'
import { renderPart } from './render.tsx'

type Run = Horse['form'][number]

const PARTS = ['horse'] as const

/** Runs of a horse, the newest first. */
const runs = (...given: readonly Partial<Run>[]): Run[] =>
  given.map((each, index) => ({
    raceId: null,
    date: `2024-06-${String(28 - index).padStart(2, '0')}`,
    stadiumName: 'York',
    place: null,
    started: true,
    jockeyName: null,
    jockeyLanguage: null,
    distanceM: null,
    going: null,
    raceClass: null,
    draw: null,
    rating: null,
    actualWeightLb: null,
    margin: null,
    finishTimeMs: null,
    odds: null,
    ...each,
  }))

const offered = (): string[] => screen.queryAllByRole('radio').map((each) => (each as HTMLInputElement).value)

test('a source that knows winners alone says nothing of second and third places', async () => {
  await renderPart(<HorseRecordBy form={runs({ place: '1' }, { place: null }, { place: null })} />, {
    parts: PARTS,
  })
  const table = screen.getByTestId('horse-record-by')
  const heads = (): string[] =>
    within(table)
      .getAllByRole('columnheader')
      .map(({ textContent }) => textContent)
  expect(heads()).toEqual(['Racecourse', 'Starts', '1st', 'Win rate'])
})

test('the chart offers what is known: a win alone makes no line of places', async () => {
  await renderPart(<FormChart form={runs({ place: '1', odds: 3 }, { odds: 5 })} />, {
    parts: PARTS,
  })
  expect(offered()).toEqual(['odds'])
})

test('as many lines are offered as there are, withdrawn ones too', async () => {
  const form = runs({ place: '2' }, { started: false, place: 'WV' }, { place: '3' })
  const { user } = await renderPart(<FormTable form={form} first={1} />, { parts: PARTS })
  await user.click(screen.getByRole('button', { name: 'Show all 3 lines' }))
  expect(screen.getAllByRole('row')).toHaveLength(1 + 3)
})
