import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import {
  queryHeadToHead,
  queryHorseInfo,
  queryRaceHorse,
  type HeadToHead,
  type Horse,
} from '../../contract/api/horse.ts'
import { queryRace, queryRacePageDesc } from '../../contract/api/racing.ts'
import CompareRunners from '../../src/features/head-to-head/compare-runners.tsx'
import { PaletteTool } from '../../src/features/palette/palette-tool.tsx'
import { HeadToHeadScreen } from '../../src/screens/head-to-head/head-to-head-screen.tsx'
import { horseInfo, raceInfo, runner } from './race-samples.ts'
import { MANIFEST } from './record.tsx'
import { labelled, part, renderPart, server } from './render.tsx'

const PARTS = ['head-to-head', 'race'] as const
const PATH = '/pages/race/HeadToHead?id=HK-A1&other=HK-A2'

const NAMES: Readonly<Record<string, readonly [string, string]>> = {
  'HK-A1': ['Golden Mile', 'A1'],
  'HK-A2': ['Quick Friend', 'A2'],
}

const horseOf = (id: string, form: Horse['form'] = []): Horse => {
  const [name, number] = NAMES[id]!
  return horseInfo({ id, number, name, nameEn: name, form })
}

type Race = HeadToHead['races'][number]
type Run = Race['run']

const run = (place: string | null, given: Partial<Run> = {}): Run => ({
  place,
  actualWeightLb: null,
  draw: null,
  rating: null,
  odds: null,
  jockeyName: null,
  jockeyLanguage: null,
  margin: null,
  finishTimeMs: null,
  ...given,
})

const race = (date: string, first: Run, second: Run, given: Partial<Race> = {}): Race => ({
  raceId: `HKSHT${date.replaceAll('-', '')}01`,
  date,
  coming: false,
  stadiumName: 'Sha Tin',
  distanceM: 1200,
  going: null,
  raceClass: 'C4',
  run: first,
  otherRun: second,
  ...given,
})

const RACES = [
  race('2026-02-01', run(null, { actualWeightLb: 122 }), run(null, { actualWeightLb: 121 }), {
    coming: true,
  }),
  race(
    '2026-01-04',
    run('2', { margin: '1-3/4', finishTimeMs: 69_500, actualWeightLb: 126, draw: 3 }),
    run('5', { margin: '6-1/4', finishTimeMs: 70_210, actualWeightLb: 120 }),
  ),
  race('2025-12-07', run('1'), run('2', { margin: 'NK' })),
  race('2025-11-02', run('9'), run('4')),
  race('2001-02-03', run('3'), run('3'), { raceId: null }),
]

function prepare(races: Race[], form: Horse['form'] = []): void {
  server.answer(queryHorseInfo, ({ query }) => horseOf(query['id']!, form))
  server.answer(queryHeadToHead, { races })
}

test('races of both: the tally, each race with what is known, and the weights of a coming race', async () => {
  prepare(RACES)
  await renderPart(<HeadToHeadScreen />, { path: PATH, parts: PARTS })
  expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe('Golden Mile v Quick Friend')
  expect(part('score').textContent).toBe('2 : 1')
  expect(document.body.textContent).toContain('4 races\u00A0· 1 dead heat')
  const cards = screen.getAllByTestId('met-race')
  expect(cards).toHaveLength(5)
  expect(document.body.textContent).toContain(
    'Golden Mile carries 5 lb less in relation to Quick Friend than when they last met (126 lb and 120 lb, now 122 lb and 121 lb).',
  )
  const [coming, last, second, third, oldest] = cards as [HTMLElement, ...HTMLElement[]]
  expect(
    within(coming)
      .getAllByRole('row')
      .map(({ textContent }) => textContent),
  ).toEqual(['About the horseGolden MileQuick Friend', 'Act. Wt. (lb)122121'])
  // What is known of one of them only has a dash, and what is known of neither has no line.
  expect(
    within(last!)
      .getAllByRole('row')
      .map(({ textContent }) => textContent),
  ).toEqual([
    'About the horseGolden MileQuick Friend',
    'Placing2nd5th',
    'Act. Wt. (lb)126120',
    'Draw3–',
    'Finish time1:09.501:10.21',
  ])
  expect(last!.textContent).toContain('Golden Mile ahead by 4-1/2 lengths, 0.71 s')
  expect(second!.textContent).toContain('Golden Mile ahead by Neck')
  expect(third!.textContent).toMatch(/Quick Friend ahead$/)
  expect(oldest!.textContent).toMatch(/Dead heat$/)
  expect(within(last!).getByRole('link').getAttribute('href')).toBe(
    '#/pages/race/HorseRace?id=HKSHT2026010401',
  )
  expect(within(oldest!).queryByRole('link')).toBeNull()
})

test.for([
  ['en', 'Golden Mile and Quick Friend have never met in the races that we have.'],
  ['zh-Hant', '在我們的賽事紀錄中，Golden Mile 與 Quick Friend 從未同場。'],
  ['zh-Hans', '在我们的赛事纪录中，Golden Mile 与 Quick Friend 从未同场。'],
] as const)(
  'horses that have never met: said so, with the last runs of each: %s',
  async ([language, words]) => {
    prepare(
      [],
      [
        {
          ...run('2'),
          raceId: 'HKSHT2026010401',
          date: '2026-01-04',
          stadiumName: 'Sha Tin',
          started: true,
          distanceM: 1200,
          going: null,
          raceClass: null,
        },
      ],
    )
    await renderPart(<HeadToHeadScreen />, { path: PATH, parts: PARTS, language })
    expect(await screen.findByText(words)).toBeTruthy()
    expect(screen.queryByTestId('score')).toBeNull()
    expect(screen.getAllByRole('table')).toHaveLength(2)
    // Each is a landmark with a name of its own.
    const names = screen.getAllByRole('region').map((region) => region.getAttribute('aria-label'))
    expect(new Set(names.filter((name) => name !== null && /Golden Mile|Quick Friend/.test(name))).size).toBe(
      2,
    )
  },
)

test('an unknown horse and twice the same one lead on; what failed can be tried again', async () => {
  prepare([])
  server.refuse(queryHeadToHead, 404, 'not found', { error: 'not-found' })
  const unknown = await renderPart(<HeadToHeadScreen />, { path: PATH, parts: PARTS })
  expect(await screen.findByText('We don’t have one of these horses. Try search.')).toBeTruthy()
  unknown.unmount()
  const same = await renderPart(<HeadToHeadScreen />, {
    path: '/pages/race/HeadToHead?id=HK-A1&other=HK-A1',
    parts: PARTS,
  })
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Choose two different horses.')
  same.unmount()
  server.fail(queryHeadToHead)
  await renderPart(<HeadToHeadScreen />, {
    path: '/pages/race/HeadToHead?id=HK-A2&other=HK-A1',
    parts: PARTS,
  })
  expect(await screen.findByRole('button', { name: 'Try again' })).toBeTruthy()
})

const FOUND = {
  total: 2,
  size: 8,
  current: 1,
  pages: 1,
  records: Object.keys(NAMES).map((id) => {
    const { number, name, nameLanguage, nameEn, countryRegion, sex, colour, status, lastRating, birthYear } =
      horseOf(id)
    return {
      id,
      number,
      name,
      nameLanguage,
      nameEn,
      countryRegion,
      sex,
      colour,
      status,
      lastRating,
      birthYear,
    }
  }),
}

test('with one horse the field finds the other, never the same', { tags: ['rest'] }, async () => {
  prepare([])
  server.answer(queryRaceHorse, FOUND)
  const { user } = await renderPart(<HeadToHeadScreen />, {
    path: '/pages/race/HeadToHead?id=HK-A1',
    parts: PARTS,
  })
  await user.type(await screen.findByLabelText('Compare Golden Mile with'), 'i')
  const list = await screen.findByRole('list', { name: 'Horses to compare with' })
  expect(
    within(list)
      .getAllByRole('link')
      .map((link) => link.getAttribute('href')),
  ).toEqual([`#${PATH}`])
})

test('two runners of a race are chosen, and each only once', { tags: ['rest'] }, async () => {
  const { user } = await renderPart(
    <CompareRunners
      race={raceInfo({ isSubscribe: 0 })}
      runners={[1, 2, 3].map((number) => runner(number))}
    />,
  )
  await screen.findByText('Compare two runners')
  await user.selectOptions(labelled('Second runner'), '3 Horse 3')
  expect(
    within(labelled('First runner'))
      .getAllByRole('option')
      .map(({ textContent }) => textContent),
  ).toEqual(['1 Horse 1', '2 Horse 2'])
  expect(screen.getByRole('link').getAttribute('href')).toBe('#/pages/race/HeadToHead?id=HK-H1&other=HK-H3')
})

test.for([
  ['golden mile v quick friend', ['Golden Mile v Quick Friend']],
  ['A2對a1', ['Quick Friend v Golden Mile']],
  // Each of two fits the first name, and one of them the second.
  ['i vs. golden mile', ['Quick Friend v Golden Mile']],
] as const)('the search reads two horses in “%s”', async ([text, labels]) => {
  server.manifest = MANIFEST
  server.answer(queryRace, [])
  server.answer(queryRacePageDesc, [])
  server.answer(queryRaceHorse, FOUND)
  const { user } = await renderPart(<PaletteTool />, { parts: ['palette'] })
  await user.click(screen.getByRole('button', { name: 'Search' }))
  await user.type(await screen.findByRole('searchbox'), text)
  const group = await screen.findByRole('group', { name: 'Head-to-head' })
  expect(
    within(group)
      .getAllByRole('option')
      .map((option) => option.textContent),
  ).toEqual(labels)
})
