import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { queryHorseInfo } from '../../contract/api/horse.ts'
import { queryRaceReport, type RaceReport } from '../../contract/api/report.ts'
import CompareRunners from '../../src/features/head-to-head/compare-runners.tsx'
import { Racecard } from '../../src/features/race/racecard.tsx'
import { Contributions, FieldTable } from '../../src/features/report/report-tables.tsx'
import { raceInfo, runner } from './race-samples.ts'
import { signIn } from './record.tsx'
import { part, renderPart, server } from './render.tsx'

/** Why our models think so: on the racecard, and in the report of a race. */

const RUNNERS = [
  runner(1, { status: 'declared', probability: 0.6 }),
  runner(2, { status: 'declared', probability: 0.4 }),
]

function reportOf(explains: string[]): RaceReport {
  return {
    raceId: raceInfo().raceId,
    model: explains[0]!,
    explains,
    runners: RUNNERS.map(({ horseId, horseNumber }, index) => ({
      horseId,
      horseNumber,
      entryNumber: null,
      name: `Horse ${horseNumber}`,
      nameLanguage: 'en',
      draw: 1,
      jockey: '',
      jockeyLanguage: 'en',
      trainer: '',
      trainerLanguage: 'en',
      actualWeight: 126,
      ratingScore: 40,
      ranking: '',
      odds: 2,
      probability: 0.5,
      probabilities: [],
      fairOdds: 2,
      marketProbability: 0.5,
      contributions: explains.flatMap((model) => [
        { model, feature: 'draw', value: (index === 0 ? 1 : -1) * (model === 'network' ? 0.31 : 0.25) },
        { model, feature: 'jockey', value: (index === 0 ? -1 : 1) * 0.12 },
      ]),
      courseRuns: [],
    })),
    selected: [],
    dividends: [],
  }
}

const WORDS = {
  en: [
    'Why “Form model (no odds)” thinks so',
    'Why “Network on the form model (no odds)” thinks so',
    'Raises its chance most: Draw',
    'Lowers its chance most: Jockey',
  ],
  'zh-Hant': [
    '「自家模型（不用賠率）」的依據',
    '「自家模型加神經網絡（不用賠率）」的依據',
    '最有利：檔位',
    '最不利：騎師',
  ],
  'zh-Hans': [
    '“自家模型（不用赔率）”的依据',
    '“自家模型加神经网络（不用赔率）”的依据',
    '最有利：档位',
    '最不利：骑师',
  ],
} as const

test('the edge has the name and the unit that it has on the racecard', async () => {
  const { runners } = reportOf(['fundamental'])
  await renderPart(
    <FieldTable model="fundamental" runners={[{ ...runners[0]!, marketProbability: 0.497 }]} />,
    { parts: ['report'] },
  )
  const headings = screen.getAllByRole('columnheader').map(({ textContent }) => textContent)
  const cells = [...document.querySelectorAll('tbody tr > *')].map(({ textContent }) => textContent)
  expect(cells[headings.indexOf('Edge (pp)')]).toBe('+0.3')
})

const reasonsShown = (): string[][] =>
  [...document.querySelectorAll('[data-reasons]')].map((each) => [
    each.firstElementChild!.textContent,
    ...[...each.querySelectorAll('li')].map((reason) => reason.textContent),
  ])

for (const width of [1280, 390])
  test.for(Object.keys(WORDS) as (keyof typeof WORDS)[])(
    `a runner has the reasons of every model of ours, ${width} pixels wide: %s`,
    async (language) => {
      signIn('vip')
      server.fail(queryHorseInfo)
      server.answer(queryRaceReport, reportOf(['fundamental', 'network']))
      const { user } = await renderPart(
        <Racecard race={raceInfo({ status: 'scheduled' })} runners={RUNNERS} open judged={false} />,
        { language, width, parts: ['card'] },
      )
      // In a table the first runner is expanded.
      if (width === 390) await user.click(document.querySelector('[aria-expanded=false]')!)
      await waitFor(() => expect(reasonsShown()).toHaveLength(2))
      const [linear, network, draw, jockey] = WORDS[language]
      // A contribution multiplies the odds on a win: e to the power of 0.25, 0.31 and −0.12.
      expect(reasonsShown()).toEqual([
        [linear, `${draw}× 1.28`, `${jockey}× 0.89`],
        [network, `${draw}× 1.36`, `${jockey}× 0.89`],
      ])
    },
  )

test('where one model gives reasons, the racecard has one row of them, the report nothing to choose', async () => {
  signIn('vip')
  server.fail(queryHorseInfo)
  server.answer(queryRaceReport, reportOf(['market-baseline']))
  const { unmount } = await renderPart(
    <Racecard race={raceInfo({ status: 'scheduled' })} runners={RUNNERS} open judged={false} />,
    { parts: ['card'] },
  )
  await waitFor(() => expect(reasonsShown()).toHaveLength(1))
  unmount()
  await renderPart(<Contributions report={reportOf(['market-baseline'])} />, { parts: ['report'] })
  expect(screen.queryByRole('radio')).toBeNull()
})

test.for([
  ['en', 'Network on the form model (no odds)'],
  ['zh-Hant', '自家模型加神經網絡（不用賠率）'],
  ['zh-Hans', '自家模型加神经网络（不用赔率）'],
] as const)('the report has those of the model that its reader chooses: %s', async ([language, network]) => {
  const { user } = await renderPart(<Contributions report={reportOf(['fundamental', 'network'])} />, {
    language,
    parts: ['report'],
  })
  const horse = (): string => part('report-why').querySelector('li')!.textContent
  expect(horse()).toContain('+0.25')
  expect(horse()).not.toContain('+0.31')
  await user.click(screen.getByRole('radio', { name: network }))
  expect(horse()).toContain('+0.31')
  expect(horse()).not.toContain('+0.25')
  expect(document.body.textContent).toMatch(new RegExp(`[“「]${network.replaceAll(/[()]/g, '\\$&')}[”」]`))
})

test.for([
  [
    'en',
    'By “Network on the form model (no odds)”, 1 Horse 1 is 1.46 times as likely to win as 2 Horse 2.',
    ['Draw speaks for 1 Horse 1: × 1.86', 'Jockey speaks for 2 Horse 2: × 1.27'],
  ],
  [
    'zh-Hant',
    '依「自家模型加神經網絡（不用賠率）」，1 Horse 1的勝出概率是2 Horse 2的 1.46 倍。',
    ['檔位對1 Horse 1有利：× 1.86', '騎師對2 Horse 2有利：× 1.27'],
  ],
] as const)(
  'why one runner has a better chance than another, in what differs most: %s',
  async ([language, total, reasons]) => {
    signIn('vip')
    server.answer(queryRaceReport, reportOf(['fundamental', 'network']))
    // The one with the better chance is named first, whichever was chosen first.
    await renderPart(
      <CompareRunners race={raceInfo({ headlineModel: 'network' })} runners={RUNNERS.toReversed()} />,
      { language, parts: ['head-to-head'] },
    )
    // e to the power of 2 × 0.31 − 2 × 0.12, of 2 × 0.31 and of 2 × 0.12.
    await waitFor(() => expect(part('why-between').querySelector('p')!.textContent).toBe(total))
    expect([...part('why-between').querySelectorAll('li')].map(({ textContent }) => textContent)).toEqual(
      reasons,
    )
  },
)

test('of a race that is not open, nothing is told of two runners', async () => {
  await renderPart(<CompareRunners race={raceInfo({ isSubscribe: 0 })} runners={RUNNERS} />)
  await screen.findByText('Compare two runners')
  expect(document.querySelector('[data-testid=why-between]')).toBeNull()
})
