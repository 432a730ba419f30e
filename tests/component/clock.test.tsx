import { screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { Clock } from '../../src/app/frame-tools.tsx'
import { AUSTRALIA } from '../../domain/region.ts'
import { useRegionDay } from '../../src/data/use-region.ts'
import { queryRace } from '../../contract/api/racing.ts'
import { useSchedule } from '../../src/data/use-racing.ts'
import { scheduled } from './race-samples.ts'
import { MANIFEST } from './record.tsx'
import { renderPart, server } from './render.tsx'

/** The header's clock, in a region whose clock is not the reader's, and the day with which lists begin. */

afterEach(() => void vi.useRealTimers())

const AWAY = new Date().getTimezoneOffset() === -330 ? 'Asia/Kathmandu' : 'Asia/Kolkata'
const OFFSET = AWAY === 'Asia/Kolkata' ? '+5:30' : '+5:45'

for (const [width, shown] of [
  [1280, `GMT${OFFSET}`],
  [390, OFFSET],
] as const)
  test(`shows the region's time and its offset, ${width} pixels wide`, async () => {
    const [region] = MANIFEST.regions
    server.manifest = { ...MANIFEST, regions: [{ ...region, timeZone: AWAY }] }
    await renderPart(<Clock />, { width })
    const time = await screen.findByTitle(new RegExp(`^\\d\\d:\\d\\d GMT\\${OFFSET}$`))
    const [hour, minute] = new Intl.DateTimeFormat('en-GB', {
      timeZone: AWAY,
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    })
      .format(new Date(time.getAttribute('datetime')!))
      .split(':')
    expect(time.textContent).toBe(`Time in Hong Kong: ${hour}:${minute} ${shown}`)
  })

test('lists of coming races begin with the day that a racecourse of the region still has, others with its own', async () => {
  // In Sydney the 5th has begun, in Perth it is eleven in the evening.
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-01-04T15:00:00Z') })
  const [region] = MANIFEST.regions
  server.manifest = { ...MANIFEST, regions: [{ ...region, id: AUSTRALIA.id, timeZone: AUSTRALIA.timeZone }] }
  const Day = () => {
    const at = useRegionDay()
    return at && `from ${at.from}, today ${at.today}`
  }
  await renderPart(<Day />)
  await screen.findByText('from 2026-01-04, today 2026-01-05')
})

test('of the day before, only races still to be run are among the coming ones', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-01-04T15:00:00Z') })
  const [region] = MANIFEST.regions
  server.manifest = { ...MANIFEST, regions: [{ ...region, id: AUSTRALIA.id, timeZone: AUSTRALIA.timeZone }] }
  server.answer(queryRace, [
    scheduled(1, { date: '2026-01-04', status: 'final' }),
    scheduled(2, { date: '2026-01-04', status: 'scheduled' }),
    scheduled(3, { date: '2026-01-05', status: 'final' }),
  ])
  const Races = () =>
    useSchedule()
      .data?.map(({ stadiumNum }) => `R${stadiumNum}`)
      .join(' ') ?? null
  await renderPart(<Races />)
  await screen.findByText('R2 R3')
  expect(server.requestsOf(queryRace).map(({ query }) => query['today'])).toEqual(['2026-01-04'])
})
