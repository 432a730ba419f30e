import { describe, expect, test } from 'vitest'
import { combinationText, languagesOf } from '../../src/workspace/query/rows.ts'
import { languageOfLocale } from '../../domain/region.ts'
import { placeOfStadium } from '../../domain/stadium-places.ts'
import { rowsOf } from '../../src/data/live.ts'
import { backPath, loginPath } from '../../src/data/login-path.ts'
import { areaFor, geoUrl, projectTo, viewOf } from '../../src/features/location/stadium-map.tsx'
import outline from '../../src/features/location/outline.json' with { type: 'json' }
import { axisFrom, ticksApart } from '../../src/features/race/odds-axis.ts'
import { shareTargets } from '../../src/features/share/share-buttons.tsx'
import { broken, RULES } from '../../src/features/account/form.tsx'
import { isSwipeUp } from '../../src/ui/behaviour/use-swipe-up.ts'

describe('a swipe for more', () => {
  const from = { x: 200, y: 600 }
  test.each([
    [{ x: 200, y: 549 }, true],
    [{ x: 250, y: 545 }, true],
    [{ x: 200, y: 550 }, false],
    [{ x: 260, y: 540 }, false],
    [{ x: 200, y: 700 }, false],
    [{ x: 100, y: 600 }, false],
  ])('to %o: %s', (to, is) => {
    expect(isSwipeUp(from, to)).toBe(is)
  })
})

test('an axis of odds begins at nine tenths of the lowest and has every tick within it', () => {
  const { from, to, ticks } = axisFrom([4, 2.5, 12])
  expect(from).toBeCloseTo(2.25)
  expect(to).toBeGreaterThan(12)
  expect(ticks.length).toBeGreaterThan(2)
  for (const tick of ticks) expect(tick >= from && tick <= to).toBe(true)
  expect(axisFrom([3]).ticks.length).toBeGreaterThan(0)
})

test('labels of a time axis stand apart also where most looks fall into the last minutes', () => {
  const off = Date.parse('2026-11-22T05:00:00Z')
  const before = (minutes: number) => new Date(off - minutes * 60_000).toISOString()
  const days = [11_520, 4320, 1440]
  const minutes = Array.from({ length: 20 }, (_, index) => 20 - index)
  const looks = [...days, ...minutes].map(before)
  expect(ticksApart(looks, 5)).toEqual([before(11_520), before(4320), before(1)])
  expect(ticksApart(minutes.map(before), 3)).toEqual([before(20), before(1)])
  for (const most of [2, 3, 5]) expect(ticksApart(looks, most).length).toBeLessThanOrEqual(most)
  expect(ticksApart([before(3)], 5)).toEqual([before(3)])
  expect(ticksApart([], 5)).toEqual([])
})

test('the view of a map has every place in it', () => {
  for (const places of [
    // Hong Kong's racecourses: one is far north of the others.
    [
      [205, 106],
      [419, 731],
      [428, 672],
    ],
    [
      [10, 10],
      [630, 20],
    ],
    [[320, 5]],
    [
      [0, 0],
      [640, 834],
    ],
  ] as const) {
    const [left, top, wide, high] = viewOf(places, [640, 834]).box.split(' ').map(Number) as [
      number,
      number,
      number,
      number,
    ]
    for (const [x, y] of places) {
      expect(x).toBeGreaterThanOrEqual(left)
      expect(x).toBeLessThanOrEqual(left + wide)
      expect(y).toBeGreaterThanOrEqual(top)
      expect(y).toBeLessThanOrEqual(top + high)
    }
  }
})

test('share targets carry link and text, escaped', () => {
  const url = 'https://furlong.example/#/pages/foot/foothome?shareby=a b&c'
  const targets = shareTargets({ url, text: 'Look & see+' })
  expect(targets.map(({ name }) => name)).toEqual(['Facebook', 'X', 'WhatsApp', 'LinkedIn', 'email'])
  for (const { name, href } of targets) {
    if (name === 'email') {
      const [, body] = /body=([^&]+)$/.exec(href)!
      expect(decodeURIComponent(body!)).toBe(`Look & see+\n${url}`)
    } else {
      expect([...new URL(href).searchParams.values()].join(' ')).toContain(url)
    }
  }
})

test('sign-in leads back to paths of our own only', () => {
  const target = '/pages/race/HorseRace?id=HKSHT2026112105&source=pr'
  const back = new URLSearchParams(loginPath(target).split('?')[1]).get('back')
  expect(backPath(back)).toBe(target)
  for (const bad of [
    null,
    '',
    'https://evil.example',
    '//evil.example',
    'javascript:1',
    '/pages/login/login',
  ])
    expect(backPath(bad)).toBe('/pages/user/fypeople')
})

test('rules of fields are told by key, and only broken ones', () => {
  expect(broken({ phone: RULES.phone('61234567'), captcha: RULES.captcha('123456') })).toBeNull()
  expect(
    broken({
      phone: RULES.phone('31234567'),
      captcha: RULES.captcha('12345'),
      nickname: RULES.nickname('x'.repeat(21)),
      password: RULES.password('password'),
      other: RULES.needed(' '),
      fine: RULES.password('馬abc1234'),
    }),
  ).toEqual({
    phone: 'field.phone',
    captcha: 'field.code',
    nickname: 'field.nickname',
    password: 'field.password',
    other: 'field.required',
  })
})

test('regions speak the language of their locale', () => {
  expect(['zh-Hant', 'zh-TW', 'en', 'en-SG', 'ms-MY', 'fr'].map(languageOfLocale)).toEqual([
    'zh-Hant',
    'zh-Hant',
    'en',
    'en',
    'en',
    'zh-Hant',
  ])
})

test('racecourses stand on the packaged land', () => {
  for (const [region, stadium] of [
    ['100000', 'HKSHT'],
    ['100000', 'HKHAV'],
    ['100036', 'AURND'],
    ['100840', 'USCDX'],
  ] as const) {
    const { latitude, longitude } = placeOfStadium(stadium)!
    const area = areaFor(outline.areas, region)
    expect(area.regionId).toBe(region)
    const inside = area.land.some((ring) => {
      // Ray casting (Shimrat 1962).
      let within = false
      for (let index = 0, before = ring.length - 1; index < ring.length; before = index, index += 1) {
        const [x = 0, y = 0] = ring[index]!
        const [x0 = 0, y0 = 0] = ring[before]!
        if (y > latitude !== y0 > latitude && longitude < ((x0 - x) * (latitude - y)) / (y0 - y) + x)
          within = !within
      }
      return within
    })
    expect(inside, stadium).toBe(true)
    const { project, height } = projectTo(area.box, 640)
    const [px, py] = project(longitude, latitude)
    expect(px > 0 && px < 640 && py > 0 && py < height).toBe(true)
  }
  expect(placeOfStadium('XXXXX')).toBeNull()
  expect(geoUrl(22.4, 114.2, 'Sha Tin')).toBe('geo:22.4,114.2?q=22.4,114.2(Sha%20Tin)')
  expect(areaFor(outline.areas, '999999').regionId).toBe('world')
})

test('what the socket tells becomes rows of the engine; what is secret does not', () => {
  const head = { id: 'x', at: '2026-11-22T05:00:00.000Z', raceId: 'HKSHT2026112209' }
  const horses = [
    { ranking: 1, horseNumber: 4, name: 'A', probability: 0.3 },
    { ranking: 2, horseNumber: null, name: null, probability: null },
  ]
  const tip = { type: 'tip', ...head, data: { topCompetitors: horses } } as unknown as Parameters<
    typeof rowsOf
  >[0]
  expect(rowsOf(tip)).toEqual([
    { kind: 'tip', raceId: head.raceId, at: head.at, horseNumber: 4, rank: 1, probability: 0.3 },
  ])
  expect(rowsOf({ type: 'resync' })).toEqual([])
})

test('names of another language stand in the record as they are, and their language is known', () => {
  const row = {
    combination: '3-7',
    horses_en: null,
    horses_hant: '通勝 · 金槍',
    horses_hans: null,
  }
  expect(combinationText(row, 'zh-Hant')).toBe('3-7  通勝\u00a0· 金槍')
  expect(combinationText(row, 'zh-Hans')).toBe('3-7  通勝\u00a0· 金槍')
  expect(languagesOf('predictions', row, 'zh-Hant')).toEqual([])
  expect(languagesOf('predictions', row, 'zh-Hans')).toEqual(['zh-Hant', 'zh-Hant'])
  expect(combinationText({ ...row, horses_hant: null }, 'en')).toBe('3-7')
  // Of several horses, each falls back by itself, and a brand is in no language.
  const mixed = {
    ...row,
    horses_en: 'Golden Sixty · 金槍',
    horses_hant: '金鎗六十 · 金槍',
    horses_hans: null,
  }
  expect(combinationText(mixed, 'en')).toBe('3-7  Golden Sixty\u00a0· 金槍')
  expect(languagesOf('predictions', mixed, 'en')).toEqual(['zh-Hant'])
  expect(languagesOf('predictions', mixed, 'zh-Hant')).toEqual([])
  const foreign = { ...mixed, horses_hant: 'Golden Sixty · H012' }
  expect(languagesOf('predictions', foreign, 'zh-Hant')).toEqual(['en'])
  const japanese = { ...mixed, horses_en: 'グロリアス', horses_hant: null }
  expect(languagesOf('predictions', japanese, 'zh-Hant')).toEqual([])
  expect(languagesOf('runners', { horse_en: 'Old Harbour' }, 'zh-Hans')).toEqual(['en'])
})
