import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { queryHorseInfo } from '../../contract/api/horse.ts'
import { queryMarks, writeMark, type MarkedRunner } from '../../contract/api/mark.ts'
import { Racecard } from '../../src/features/race/racecard.tsx'
import { horseInfo, raceInfo, runner } from './race-samples.ts'
import { signIn } from './record.tsx'
import { renderPart, server } from './render.tsx'

const BEFORE: MarkedRunner = {
  horseId: 'HK-H1',
  own: null,
  before: { raceId: 'HKSHT2025120101', date: '2025-12-01', rating: 65, odds: 6, shortlisted: true },
}

/** The card of a coming race, whose first runner is expanded on a wide screen. */
function open(marks: MarkedRunner[], given: Parameters<typeof raceInfo>[0] = {}) {
  signIn('member')
  server.answer(queryMarks, marks)
  server.answer(writeMark, { stored: true })
  server.answer(queryHorseInfo, horseInfo())
  const race = raceInfo({
    status: 'scheduled',
    isSubscribe: 0,
    competitionDate: '2999-01-01T05:00:00.000Z',
    ...given,
  })
  const runners = [runner(1, { status: 'declared' }), runner(2, { status: 'declared' })]
  return renderPart(<Racecard race={race} runners={runners} open={false} judged={false} />, {
    parts: ['race', 'follow'],
  })
}

const { raceId } = raceInfo()
const written = () => server.requestsOf(writeMark).map(({ body }) => body)

test('rating, odds and shortlist are stored as they are changed, each with the others', async () => {
  const { user } = await open([])
  const rating = await screen.findByLabelText('My rating')
  await user.type(rating, '71')
  await user.click(screen.getByRole('button', { name: 'On my shortlist' }))
  await waitFor(() => expect(written()).toHaveLength(2))
  await user.type(screen.getByLabelText('My odds'), '4.5{Enter}')
  await waitFor(() => expect(written()).toHaveLength(3))
  const of = { raceId, horseId: 'HK-H1' }
  expect(written()).toEqual([
    { ...of, rating: 71, odds: null, shortlisted: false },
    { ...of, rating: 71, odds: null, shortlisted: true },
    { ...of, rating: 71, odds: 4.5, shortlisted: true },
  ])
  const marks = await screen.findAllByText('On your shortlist')
  expect(marks.map((each) => each.closest('[data-number]')!.getAttribute('data-number'))).toEqual(['1'])
})

test('the mark of the horse’s last race is carried to this one', async () => {
  await open([BEFORE])
  const words = await screen.findByText(/^Your mark of 1 Dec 2025: /)
  expect(words.textContent).toMatch(/On your shortlist.*rating 65.*odds 6\.0/)
  expect(screen.getByLabelText('My rating').getAttribute('placeholder')).toBe('65')
  expect(written()).toEqual([])
})

test('a rating that is none says why, and nothing is stored', async () => {
  const { user } = await open([])
  await user.type(await screen.findByLabelText('My rating'), '70.5{Enter}')
  await screen.findByText(/70/)
  await user.type(screen.getByLabelText('My odds'), '1{Enter}')
  expect(written()).toEqual([])
})

test('without a connection the former mark stands again, and why is said', async () => {
  const { user } = await open([])
  const list = await screen.findByRole('button', { name: 'On my shortlist' })
  server.fail(writeMark)
  await user.click(list)
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toContain('There is no connection')
  await waitFor(() => expect(list.getAttribute('aria-pressed')).toBe('false'))
})

test('once the race was run the own mark is read, and cannot be changed', async () => {
  const own = { rating: 71, odds: null, shortlisted: false }
  await open([{ ...BEFORE, own }], { status: 'final', competitionDate: '2026-01-04T05:00:00.000Z' })
  const words = await screen.findByText(/^Your mark: /)
  expect(words.textContent).toContain('rating 71')
  expect(screen.queryByLabelText('My rating')).toBeNull()
})

test.each(['zh-Hant', 'zh-Hans'] as const)('its words are those of the reader: %s', async (language) => {
  signIn('member')
  server.answer(queryHorseInfo, horseInfo())
  const race = raceInfo({ status: 'scheduled', isSubscribe: 0, competitionDate: null })
  await renderPart(<Racecard race={race} runners={[runner(1), runner(2)]} open={false} judged={false} />, {
    parts: ['race', 'follow'],
    language,
  })
  const label = language === 'zh-Hant' ? '我的評分' : '我的评分'
  expect(await screen.findByLabelText(label)).toBeTruthy()
})
