import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { Contenders } from '../../src/features/race/contenders.tsx'
import { raceInfo, runner } from './race-samples.ts'
import { signIn } from './record.tsx'
import { renderPart } from './render.tsx'

const field = (chances: readonly (number | null)[]) =>
  chances.map((probability, index) => runner(index + 1, { probability }))

const show = (chances: readonly (number | null)[]) =>
  renderPart(<Contenders race={raceInfo()} runners={field(chances)} />, {
    path: '/pages/race/HorseRace',
    parts: ['card'],
  })

test('the fewest horses with four fifths of the chance, the most probable first', async () => {
  signIn('vip')
  await show([0.05, 0.2, 0.6, 0.05, 0.1])
  const told = await screen.findByText('2 of 5 horses have 80% of the chance together:')
  expect(told.parentElement!.textContent).toContain('together:32')
  expect(screen.queryByText('Open race')).toBeNull()
  const record = await screen.findByRole('link', { name: 'How often contenders won' })
  expect(record.getAttribute('href')).toContain('s=races&p=bars:season.contender_rate')
})

test('a race in which more than three fifths of the horses contend is open', async () => {
  await show([0.3, 0.3, 0.25, 0.15])
  expect(await screen.findByText('Open race')).toBeTruthy()
  expect(screen.queryByRole('link')).toBeNull()
})

test('nothing is said of chances that are not those of the whole field', async () => {
  const { container } = await show([0.3, 0.3, null, 0.15])
  expect(container.textContent).toBe('')
})
