import { render } from '@testing-library/react'
import { expect, test } from 'vitest'
import { queryHorseInfo } from '../../contract/api/horse.ts'
import { queryRaceReport } from '../../contract/api/report.ts'
import { COLOURS, PATTERNS, canHave } from '../../domain/silks.ts'
import { Racecard } from '../../src/features/race/racecard.tsx'
import { Silks } from '../../src/ui/silks.tsx'
import { raceInfo, runner } from './race-samples.ts'
import { part, renderPart, server } from './render.tsx'

const fills = (text: string): string[] =>
  [...render(<Silks text={text} />).container.querySelectorAll('path')].map(({ style }) => style.fill)

test('every colour has its own paint, and every pattern its own picture', () => {
  const paints = COLOURS.map((colour) => fills(colour).join(' '))
  expect(new Set(paints).size).toBe(COLOURS.length)
  const pictures = PATTERNS.map((pattern) => {
    const text = canHave('body', pattern) ? `Red, white ${pattern}` : `Red, red sleeves, white ${pattern}`
    const { container } = render(<Silks text={text} />)
    expect(container.querySelector('g path[transform]'), pattern).not.toBeNull()
    return container.querySelector('path[transform]')!.getAttribute('d')
  })
  expect(new Set(pictures).size).toBe(PATTERNS.length)
})

test.each(['Scarlet, gold tassel', ''])(
  'nothing is drawn of silks that are not wholly known: “%s”',
  (text) => {
    expect(render(<Silks text={text} />).container.querySelector('svg')).toBeNull()
  },
)

test('a runner’s silks are beside its number, where they are known', async () => {
  server.fail(queryHorseInfo)
  server.fail(queryRaceReport)
  const runners = [
    runner(1, { silks: 'Red, white sash, yellow cap' }),
    runner(2),
    runner(3, { silks: 'Scarlet' }),
  ]
  await renderPart(<Racecard race={raceInfo()} runners={runners} open judged={false} />)
  const drawn = [1, 2, 3].map(
    (number) => part('racecard').querySelectorAll(`[data-number="${number}"] svg[class*=silks]`).length,
  )
  expect(drawn).toEqual([1, 0, 0])
})
