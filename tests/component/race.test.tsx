import { useQuery } from '@tanstack/react-query'
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { queryHorseInfo } from '../../contract/api/horse.ts'
import {
  queryOddsTrack,
  queryRaceCompetitor,
  queryRacePredictionCache,
  type Prediction,
  type Tip,
} from '../../contract/api/racing.ts'
import { queryRaceReport } from '../../contract/api/report.ts'
import { queryClient } from '../../src/app/query-client.ts'
import { queryFor } from '../../src/data/client/call.ts'
import { useToken } from '../../src/data/client/session.ts'
import { Predictions } from '../../src/features/race/predictions.tsx'
import { RaceResult } from '../../src/features/race/race-result.tsx'
import { RaceHeader } from '../../src/features/race/race-header.tsx'
import { Racecard } from '../../src/features/race/racecard.tsx'
import { PreparedConnector } from './prepared-connector.ts'
import { DIVIDENDS, raceInfo, runner, RUNNERS } from './race-samples.ts'
import { MANIFEST, signIn } from './record.tsx'
import { part, renderPart, server } from './render.tsx'

/** The parts of a race's page: its header, its result and dividends, its runners. */

test('the order of finish, non-finishers last, and every pool’s dividend', async () => {
  server.manifest = MANIFEST
  server.connect(new PreparedConnector({ named: () => DIVIDENDS }))
  await renderPart(<RaceResult race={raceInfo()} runners={RUNNERS} />)
  const rows = [...part('finishers').querySelectorAll('tbody tr')]
  expect(rows.map((row) => row.querySelector('a')!.textContent)).toEqual([
    'Horse 2',
    'Horse 3',
    'Horse 1',
    'Horse 4',
  ])
  expect(rows[0]!.textContent).toContain('1st')
  expect(rows[0]!.querySelector('a')!.getAttribute('href')).toContain('HorseDetail?id=HK-H2')
  const paid = await screen.findByTestId('dividends')
  expect(
    [...paid.querySelectorAll('tr')].map((row) => [...row.children].map((each) => each.textContent)),
  ).toEqual([
    ['Win', '2', 'HK$20.50'],
    ['Place', '2', 'HK$12.50'],
    ['Place', '3', 'HK$14.00'],
    ['Quinella', '2-3', 'Refund'],
  ])
})

test.for([
  ['one line of a pool that pays three', [{ bet_type: 2, combination: '2' }], true],
  ['one pair', [{ bet_type: 4, combination: '2-3' }], true],
  ['every place', ['1', '2', '3'].map((combination) => ({ bet_type: 2, combination })), false],
  ['two of three pairs', ['2-3', '1-2'].map((combination) => ({ bet_type: 4, combination })), true],
  ['a pool refunded as a whole', [{ bet_type: 2, combination: '', status: 'refund' }], false],
  ['no such pool', [{ bet_type: 1, combination: '2' }], false],
] as const)('dividends that the source lacks are told: %s', async ([, lines, isTold]) => {
  server.manifest = MANIFEST
  server.connect(
    new PreparedConnector({
      named: () => lines.map((line) => ({ ...DIVIDENDS[0]!, ...line })),
    }),
  )
  const field = Array.from({ length: 8 }, (_, at) => runner(at + 1, { ranking: String(at + 1) }))
  await renderPart(<RaceResult race={raceInfo()} runners={field} />)
  await screen.findByTestId('dividends')
  expect(document.body.textContent.includes('only some of them')).toBe(isTold)
})

test('of a race with an entry, whose horses are one bet, no dividend is missed', async () => {
  server.manifest = MANIFEST
  server.connect(
    new PreparedConnector({ named: () => [{ ...DIVIDENDS[0]!, bet_type: 2, combination: '1' }] }),
  )
  const field = [1, 21, 3, 4, 5, 6, 7, 8].map((number, at) =>
    runner(number, { ranking: String(at + 1), ...(at < 2 ? { entryNumber: 1 } : {}) }),
  )
  await renderPart(<RaceResult race={raceInfo()} runners={field} />)
  await screen.findByTestId('dividends')
  expect(document.body.textContent).not.toContain('only some of them')
})

test.for([
  ['en', 'LBW', 'Short head', '1-3/4'],
  ['zh-Hant', '頭馬距離', '短馬頭位', '1-3/4'],
  ['zh-Hans', '头马距离', '短马头位', '1-3/4'],
] as const)(
  'a distance that was published in another language’s words has the reader’s: %s',
  async ([language, heading, head, lengths]) => {
    server.manifest = MANIFEST
    server.connect(new PreparedConnector({ named: () => [] }))
    const runners = [
      runner(1, { ranking: '1' }),
      runner(2, { ranking: '2', finishLength: '短馬頭位' }),
      runner(3, { ranking: '3', finishLength: '1-3/4' }),
      runner(4, { ranking: '4', finishLength: 'SH' }),
    ]
    await renderPart(<RaceResult race={raceInfo()} runners={runners} />, { language })
    const headings = [...part('finishers').querySelectorAll('thead th')].map(({ textContent }) => textContent)
    const at = headings.indexOf(heading)
    const cells = [...part('finishers').querySelectorAll('tbody tr')].map(
      (row) => row.children[at]!.textContent,
    )
    expect(cells).toEqual(['–', head, lengths, head])
  },
)

test('on a phone the first four come first, and all who ran at a press of the button, which stays', async () => {
  server.manifest = MANIFEST
  server.connect(new PreparedConnector({ named: () => [] }))
  const runners = [
    ...[1, 2, 3, 4, 5].map((number) => runner(number, { ranking: String(number) })),
    runner(6, { ranking: 'WV', status: 'withdrawn' }),
    runner(7, { ranking: 'PU', status: 'unfinished' }),
    runner(8, { ranking: '', status: 'finished' }),
  ]
  const { user } = await renderPart(<RaceResult race={raceInfo()} runners={runners} />, { width: 390 })
  const names = (): (string | null)[] =>
    [...part('finishers').querySelectorAll('tbody a')].map(({ textContent }) => textContent)
  expect(names()).toEqual(['Horse 1', 'Horse 2', 'Horse 3', 'Horse 4'])
  const whole = screen.getByRole('button', { name: 'All 7 runners' })
  await user.click(whole)
  // Those whose place is unknown follow those with one, then who did not finish, then who did not start.
  expect(names().slice(4)).toEqual(['Horse 5', 'Horse 8', 'Horse 7', 'Horse 6'])
  expect(whole.getAttribute('aria-expanded')).toBe('true')
  expect(document.activeElement).toBe(whole)
  await user.click(whole)
  expect(names()).toHaveLength(4)
})

test.for([
  [1280, true],
  [390, false],
] as const)(
  'running positions and finish times are told where there is room, %i pixels wide',
  async ([width, isTold]) => {
    server.manifest = MANIFEST
    server.connect(new PreparedConnector({ named: () => [] }))
    const runners = [
      runner(1, { ranking: '1', finishTimeMs: 69_860, runningPosition: '2 1' }),
      runner(2, { ranking: 'PU', status: 'unfinished' }),
    ]
    await renderPart(<RaceResult race={raceInfo()} runners={runners} />, { width })
    const text = part('finishers').textContent
    expect(['1:09.86', '2 1'].map((each) => text.includes(each))).toEqual([isTold, isTold])
    expect(text).not.toContain('0:00')
  },
)

test('a race without a result has no part for it', async () => {
  server.manifest = MANIFEST
  server.connect(new PreparedConnector({ named: () => [] }))
  await renderPart(<RaceResult race={raceInfo()} runners={[runner(1), runner(2)]} />)
  await waitFor(() => expect(screen.queryByTestId('finishers')).toBeNull())
})

test.for([
  ['the time of a race to come', { status: 'scheduled' }, /Off 13:00/],
  ['a race to come whose time is unknown', { status: 'scheduled', competitionDate: null }, /Not run yet/],
  ['a race with its result', { status: 'final' }, /Official result/],
  ['the range of ratings, without a minus', { rating: '80-60' }, /Class 5 \(80–60\)/],
] as const)('the header says %s', async ([, given, words]) => {
  await renderPart(<RaceHeader race={raceInfo(given)} runners={RUNNERS} />)
  expect(document.body.textContent).toMatch(words)
})

test.for([
  ['en', 'Result'],
  ['zh-Hant', '賽果'],
  ['zh-Hans', '赛果'],
] as const)('the result is called so, not by one of its columns: %s', async ([language, name]) => {
  server.manifest = MANIFEST
  server.connect(new PreparedConnector({ named: () => [] }))
  await renderPart(<RaceResult race={raceInfo()} runners={RUNNERS} />, { language })
  expect(screen.getByRole('heading', { name })).toBeTruthy()
})

test.for([
  ['en', 'Race 1', '1,200 m', 'Good'],
  ['zh-Hant', '第1場', '1,200', '好地'],
  ['zh-Hans', '第1场', '1,200', '好地'],
] as const)(
  'the header names the race in the reader’s words: %s',
  async ([language, number, metres, going]) => {
    await renderPart(<RaceHeader race={raceInfo()} runners={RUNNERS} />, {
      language,
    })
    expect(screen.getByRole('heading', { level: 1 }).textContent).toContain(number)
    expect(document.body.textContent).toContain(metres)
    expect(document.body.textContent).toContain(going)
  },
)

const numbers = (): number[] =>
  [...part('racecard').querySelectorAll<HTMLElement>('[data-number]')].map((each) =>
    Number(each.dataset['number']),
  )

/** The expanded runner asks for its last runs and the model's reasons. */
const prepareDetails = (): void => {
  server.fail(queryHorseInfo)
  server.fail(queryRaceReport)
}

test('a racecard is in finishing order, is sorted by the keyboard, and its figures are those of the field', async () => {
  signIn('vip')
  prepareDetails()
  const { user } = await renderPart(<Racecard race={raceInfo()} runners={RUNNERS} open judged={false} />, {
    parts: ['card'],
  })
  expect(numbers()).toEqual([2, 3, 1, 4])
  expect(part('racecard').textContent).toContain('Withdrawn')
  within(part('racecard')).getByRole('button', { name: 'Model' }).focus()
  await user.keyboard('{Enter}')
  await waitFor(() =>
    expect(part('racecard').querySelector('[aria-sort=descending]')!.textContent).toContain('Model'),
  )
  expect(numbers().slice(0, 3)).toEqual([2, 3, 1])
  // The model’s share, its reciprocal, and its distance from the market’s share: 1 ÷ 2 of 1 ÷ 10 + 1 ÷ 2 + 1 ÷ 2.5.
  const row = part('racecard').querySelector<HTMLElement>('[data-number="2"]')!
  const cell = (name: string): string => row.querySelector(`[data-column=${name}]`)!.textContent
  expect(cell('model')).toBe('55.0%')
  expect(Number(cell('fair'))).toBeCloseTo(1 / 0.55, 1)
  expect(
    Number(
      cell('edge')
        .replace('−', '-')
        .replaceAll(/[^\d.-]/g, ''),
    ),
  ).toBeCloseTo(100 * (0.55 - 0.5 / 1), 1)
})

test('without the race there are runners and results, and of the model only how to see it', async () => {
  const closed = RUNNERS.map((each) => ({
    ...each,
    probability: null,
    predictedRank: null,
    openingOdds: null,
  }))
  prepareDetails()
  signIn('member')
  const onOpen = vi.fn<() => void>()
  const { user } = await renderPart(
    <Racecard
      race={raceInfo({ isSubscribe: 0 })}
      runners={closed}
      open={false}
      judged={false}
      onOpen={onOpen}
    />,
    { parts: ['card'], width: 390 },
  )
  const lines = within(part('racecard')).getAllByRole('listitem')
  expect(lines[0]!.textContent).toContain('1st')
  expect(lines[0]!.textContent).toContain('Odds')
  // The veil of the model's column has no figures; its heading opens the race.
  expect(part('racecard').textContent).not.toContain('%')
  await user.click(screen.getByRole('button', { name: /^Model: See every runner/ }))
  expect(onOpen).toHaveBeenCalledOnce()
  // The headings above the lines order them, and a second time the other way.
  const head = within(screen.getByRole('group', { name: 'Sort by' })).getByRole('button', { name: /^No\./ })
  await user.click(head)
  expect(numbers()).toEqual([1, 2, 3, 4])
  expect(head.getAttribute('aria-pressed')).toBe('true')
  await user.click(head)
  expect(numbers()).toEqual([4, 3, 2, 1])
})

test.for([1280, 390] as const)(
  'gear, age and sex, and our rank beside the place, %i pixels wide',
  async (width) => {
    prepareDetails()
    const runners = [
      runner(1, { ranking: '2', predictedRank: 1, gear: 'B1/TT-', age: 4, sex: 'Gelding' }),
      runner(2, { ranking: '1', gear: '', sex: 'Mare' }),
    ]
    await renderPart(<Racecard race={raceInfo()} runners={runners} open judged={false} />, {
      parts: ['card', 'race'],
      width,
    })
    const [winner, second] = [...part('racecard').querySelectorAll<HTMLElement>('[data-number]')]
    expect(second!.textContent).toContain('B1 first time/TT-')
    expect(second!.textContent).toContain('4 yo G')
    expect(second!.textContent).toContain('our no. 1')
    expect(winner!.textContent).not.toContain('our no.')
    expect(winner!.textContent).not.toContain('yo')
    const shown = within(second!).getByRole('button')
    if (shown.getAttribute('aria-expanded') === 'false') shown.click()
    await within(second!).findByText('Blinkers, first time, Tongue tie, taken off')
  },
)

const COMING = raceInfo({ status: 'scheduled', isAnalyzer: 0, amended: false })
const DECLARED = [
  runner(1, { status: 'declared', probability: 0.1 }),
  runner(2, { status: 'declared', probability: 0.6 }),
  runner(3, { status: 'declared', probability: 0.3 }),
]
const expanded = (): number[] =>
  [...part('racecard').querySelectorAll<HTMLElement>('[data-number]')].flatMap((each) =>
    each.querySelector('[aria-expanded=true]') ? [Number(each.dataset['number'])] : [],
  )

for (const width of [1280, 390])
  describe(`a race that is not run yet, ${width} pixels wide`, () => {
    const open = async (isOpen: boolean) => {
      prepareDetails()
      const runners = isOpen ? DECLARED : DECLARED.map((each) => ({ ...each, probability: null }))
      await renderPart(<Racecard race={COMING} runners={runners} open={isOpen} judged={false} />, {
        parts: ['card'],
        width,
      })
    }
    test('once it is unlocked, its runners begin with the model’s first, which a table shows expanded', async () => {
      await open(true)
      expect(numbers()).toEqual([2, 3, 1])
      expect(expanded()).toEqual(width === 1280 ? [2] : [])
    })
    test('before that they are by number', async () => {
      await open(false)
      expect(numbers()).toEqual([1, 2, 3])
      expect(expanded()).toEqual(width === 1280 ? [1] : [])
    })
  })

test('a runner whose odds moved much since ten minutes before the start is marked on the card', async () => {
  const runners = [
    runner(1, { odds: 4, openingOdds: 4, tenMinuteOdds: 6 }),
    runner(2, { odds: 5, openingOdds: 4, tenMinuteOdds: 4 }),
    runner(3, { odds: 4, openingOdds: 8, tenMinuteOdds: 4.2 }),
    runner(4, { odds: 4, openingOdds: 4, tenMinuteOdds: 8, status: 'withdrawn' }),
  ]
  await renderPart(<Racecard race={COMING} runners={runners} open judged={false} />, { width: 390 })
  const marks = await screen.findAllByRole('img', { name: /^Late/ })
  expect(marks.map((mark) => mark.getAttribute('aria-label'))).toEqual([
    'Late steamer: 6.0 ten minutes before the start',
    'Late drifter: 4.0 ten minutes before the start',
  ])
})

test('the odds of ten minutes before the start are asked for once they are known, and once', async () => {
  const start = (minutes: number): string => new Date(Date.now() + minutes * 60_000).toISOString()
  const asked = (): number => server.made.filter(({ path }) => path.endsWith('queryRaceCompetitor')).length
  const Card = ({ off }: { off: string }) => {
    const race = raceInfo({ status: 'scheduled', competitionDate: off })
    const token = useToken()
    const { data } = useQuery(queryFor(queryRaceCompetitor, { raceId: race.raceId }, 'en', token))
    return data === undefined ? null : <Racecard race={race} runners={data} open judged={false} />
  }
  server.answer(queryRaceCompetitor, [...RUNNERS])
  const { unmount } = await renderPart(<Card off={start(20)} />, { width: 390 })
  await waitFor(() => expect(asked()).toBe(1))
  unmount()
  queryClient.clear()
  await renderPart(<Card off={start(5)} />, { width: 390 })
  await waitFor(() => expect(asked()).toBe(3))
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(asked()).toBe(3)
})

const TIPS: Tip = {
  id: '1',
  raceId: COMING.raceId,
  raceDate: COMING.date,
  date: COMING.date,
  raceNo: 1,
  numbersByName: false,
  stadiumName: 'Sha Tin',
  time: '13:00:00',
  probability: 0.6,
  raceCompetitor1Num: 2,
  raceCompetitor2Num: 3,
  raceCompetitor3Num: 1,
  raceCompetitor4Num: null,
  odds: null,
  chartData: [],
  isAccuracy: 0,
  topCompetitors: [],
  status: 'scheduled',
  outcome: null,
  open: true,
}

test('the choices of the tip are named, and unknown weather is said', async () => {
  await renderPart(<RaceHeader race={{ ...COMING, tips: TIPS }} runners={DECLARED} />)
  expect(document.body.textContent).toContain('2Horse 23Horse 31Horse 1')
  expect(document.body.textContent).toContain('Weather unknown')
})

test('of the choices of the tip only the winner is marked, as in the strip of the meeting', async () => {
  const tips = { ...TIPS, raceCompetitor1Num: 2, raceCompetitor2Num: 3, raceCompetitor3Num: 1 }
  const runners = [
    runner(1, { status: 'unfinished', ranking: 'PU' }),
    runner(2, { ranking: '1' }),
    runner(3, { status: 'finished', ranking: '' }),
  ]
  await renderPart(<RaceHeader race={raceInfo({ tips })} runners={runners} />)
  expect(document.body.textContent).toContain('2Horse 21st3Horse 3–1Horse 1PU')
  const marks = ['check', 'x'].map((mark) => document.querySelectorAll(`svg.lucide-${mark}`).length)
  expect(marks).toEqual([1, 0])
})

test('of a tip on an entry, the horse that finished first is named', async () => {
  const tips = { ...TIPS, raceCompetitor1Num: 1, raceCompetitor2Num: 2, raceCompetitor3Num: null }
  const entry = (status: 'finished' | 'declared', rankings: readonly string[]) => [
    runner(1, { entryNumber: 1, status, ranking: rankings[0]! }),
    runner(2, { status, ranking: rankings[1]! }),
    runner(21, { entryNumber: 1, status, ranking: rankings[2]! }),
  ]
  const shown = async (race: typeof COMING, runners: ReturnType<typeof entry>) => {
    const { unmount } = await renderPart(<RaceHeader race={race} runners={runners} />)
    const { textContent } = document.body
    unmount()
    return textContent
  }
  expect(await shown(raceInfo({ tips }), entry('finished', ['4', '2', '1']))).toContain(
    '1Horse 211st2Horse 22nd',
  )
  expect(await shown(raceInfo({ tips }), entry('finished', ['', '2', '3']))).toContain(
    '1Horse 213rd2Horse 22nd',
  )
  expect(await shown({ ...COMING, tips }, entry('declared', ['', '', '']))).toContain('1Horse 12Horse 2')
})

test.for([
  ['en', '4 Jan 2026', '13:00'],
  ['zh-Hant', '2026年1月4日', '13:00'],
  ['zh-Hans', '2026年1月4日', '13:00'],
] as const)(
  'a post time is the racecourse’s, with its offset for a reader elsewhere: %s',
  async ([language, day, time]) => {
    await renderPart(<RaceHeader race={COMING} runners={DECLARED} />, { language })
    const isHere = new Date(COMING.competitionDate!).getTimezoneOffset() === -480
    expect(document.body.textContent).toContain(`${day} ${time}${isHere ? '' : ' GMT+8'}`)
  },
)

test('a race has the post time of its racecourse, not that of its region', async () => {
  const race = { ...COMING, raceId: 'AUDAR2026010401', countryRegionId: '100036' }
  await renderPart(<RaceHeader race={race} runners={DECLARED} />)
  const isHere = new Date(COMING.competitionDate!).getTimezoneOffset() === -570
  expect(document.body.textContent).toContain(`4 Jan 2026 14:30${isHere ? '' : ' GMT+9:30'}`)
})

describe('predictions of a race that is not run yet', () => {
  const prediction = (gameplayClass: number, numbers: readonly [number, ...number[]]): Prediction => ({
    id: `${COMING.raceId}-${gameplayClass}-1`,
    raceId: COMING.raceId,
    gameplayClass,
    ranking: 1,
    raceCompetitor1Num: numbers[0],
    raceCompetitor2Num: numbers[1] ?? null,
    raceCompetitor3Num: null,
    raceCompetitor4Num: null,
    names: numbers.map((number) => `Horse ${number}`),
    probability: 0.125,
    odds: null,
    oddsPaid: false,
    predictionTypes: [1],
    isAccuracy: 0,
    outcome: null,
    profit: null,
  })
  const open = async (gameplayClass: 1 | 3, numbers: readonly [number, ...number[]]) => {
    signIn('vip')
    server.answer(queryRacePredictionCache, [prediction(gameplayClass, numbers)])
    const { user } = await renderPart(
      <Predictions race={COMING} runners={DECLARED} gameplayClass={gameplayClass} model="market-baseline" />,
    )
    await screen.findByText('Fair odds 8.0')
    return user
  }

  test('a bet type without odds shows the fair ones, and says that the chart is of the horses’ win odds', async () => {
    const at = '2026-01-04T04:00:00.000Z'
    server.answer(queryOddsTrack, [
      { createTime: at, odds: 3.5, horseNumber: 2 },
      { createTime: at, odds: 7, horseNumber: 3 },
    ])
    const user = await open(3, [2, 3])
    await user.click(screen.getByRole('button', { name: 'Win odds of its horses' }))
    await screen.findByText(/The win odds of each horse/)
    // Odds of one moment are words: a chart of them would be dots.
    expect((await screen.findByText(/Recorded once so far/)).textContent).toMatch(
      /4 Jan, 12:00( GMT\+8)?: No\. 2: 3\.5\u00a0· No\. 3: 7\.0/,
    )
    expect(document.querySelector('figure')).toBeNull()
  })

  test('a bet on one horse has the movement of its odds', async () => {
    server.answer(queryOddsTrack, [])
    const user = await open(1, [2])
    await user.click(screen.getByRole('button', { name: 'Odds movement' }))
    await screen.findByText('No odds were recorded for these horses.')
    expect(document.body.textContent).not.toContain('The win odds of each horse')
  })

  test('while the answer is on its way, nothing is said about there being none', async () => {
    signIn('vip')
    server.answer(queryRacePredictionCache, [])
    const release = server.hold(queryRacePredictionCache)
    const common = { race: COMING, runners: DECLARED, model: 'market-baseline' }
    await renderPart(<Predictions {...common} gameplayClass={1} />)
    // Longer than the answer of a race without predictions is waited for.
    vi.useFakeTimers({ shouldAdvanceTime: true })
    try {
      await vi.advanceTimersByTimeAsync(3500)
      expect(document.querySelector('[class*=skeleton]')).not.toBeNull()
      expect(document.body.textContent).toBe('')
      release()
      await vi.advanceTimersByTimeAsync(3500)
    } finally {
      vi.useRealTimers()
    }
    await screen.findByText('No data for this bet type.')
  })
})
