import { expect, test } from 'vitest'
import { lengthsOf } from '../../domain/margin.ts'
import {
  bodyWeight,
  classOf,
  finishOf,
  isJump,
  marginOf,
  nameIn,
  poundsOf,
  publishedId,
} from '../../server/ingest/jp/netkeiba-cells.ts'
import { goingOf } from '../../server/ingest/jp/netkeiba-words.ts'

const thrown = (read: () => unknown): string => {
  try {
    return JSON.stringify(read())
  } catch (error) {
    return `${(error as { kind: string }).kind} ${(error as Error).message}`
  }
}

test('half kilograms are pounds of which each comes from one weight', () => {
  const seen = new Map<number, number>()
  for (let halves = 80; halves <= 1400; halves += 1) {
    const pounds = poundsOf(halves / 2)!
    expect(seen.has(pounds)).toBe(false)
    expect(Math.round(pounds * 0.453_592_37 * 2)).toBe(halves)
    seen.set(pounds, halves)
  }
  expect([poundsOf(55), poundsOf(57.5), poundsOf(null)]).toEqual([121, 127, null])
})

test.each([
  ['3', 'finished', 3, null, false],
  ['１２', 'finished', 12, null, false],
  ['3.0', 'finished', 3, null, false],
  ['4(降)', 'finished', 4, null, true],
  ['4（降）', 'finished', 4, null, true],
  ['9(再)', 'finished', 9, null, false],
  ['中', 'unfinished', null, 'DNF', false],
  ['中止', 'unfinished', null, 'DNF', false],
  ['失', 'unfinished', null, 'DISQ', false],
  ['取', 'withdrawn', null, 'WX', false],
  ['除外', 'withdrawn', null, 'WX', false],
])('the place %s', (cell, status, place, placeCode, isDemoted) => {
  expect(finishOf({ 着順: cell }, '着順')).toEqual({ status, place, placeCode, deadHeat: false, isDemoted })
})

test('other places, race ids and weights are refused with the cell and the right form', () => {
  expect(thrown(() => finishOf({ 着順: 'x' }, '着順'))).toBe('unknown-place-code x')
  expect(thrown(() => finishOf({ 着順: '' }, '着順'))).toBe('missing-field 着順')
  expect(thrown(() => finishOf({ 着順: 'constructor' }, '着順'))).toBe('unknown-place-code constructor')
  expect([goingOf('turf', 'constructor'), goingOf('dirt', 'toString')]).toEqual([undefined, undefined])
  expect(thrown(() => publishedId({ race_id: '2026050212' }))).toBe(
    'bad-race-id 2026050212 (write it like 202605021211: year, racecourse, meeting, day, race)',
  )
  expect(thrown(() => publishedId({ '': '' }))).toBe('missing-field race_id')
  expect(thrown(() => bodyWeight({ w: '448+14' }, 'w'))).toBe(
    'not-a-weight w: 448+14 (write it like 448(+14))',
  )
})

test('a race id has its racecourse and number, also in a column without a name or as a decimal', () => {
  expect(publishedId({ race_id: '202610031209' })).toEqual({ racecourse: '10', raceNo: 9 })
  expect(publishedId({ '': '201901010101' })).toEqual({ racecourse: '01', raceNo: 1 })
  expect(publishedId({ '': '201901010112.0' })).toEqual({ racecourse: '01', raceNo: 12 })
})

test('a body weight is without its change; not weighed is unknown', () => {
  const weights = ['448(+14)', '448(0)', '４４８（－２）', '448', '計不', '---', '']
  expect(weights.map((cell) => bodyWeight({ w: cell }, 'w'))).toEqual([448, 448, 448, 448, null, null, null])
})

test.each([
  ['クビ', 'NK', 0.3],
  ['ﾊﾅ', null, null],
  ['ハナ', 'N', 0.05],
  ['アタマ', 'HD', 0.2],
  ['同着', 'DH', 0],
  ['3/4', '3/4', 0.75],
  ['1/2', '1/2', 0.5],
  ['1.3/4', '1-3/4', 1.75],
  ['2.1/2', '2-1/2', 2.5],
  ['10', '10', 10],
  ['1.5', null, null],
  ['大', null, null],
])('the margin %s', (cell, shown, lengths) => {
  const margin = marginOf(cell)
  expect([margin?.shown ?? null, margin?.lengths ?? null]).toEqual([shown, lengths])
  if (margin !== null && !/^[A-Z]/.test(margin.shown)) expect(lengthsOf(margin.shown)).toBe(margin.lengths)
})

test.each([
  ['3歳未勝利', '未勝利', false],
  ['2歳新馬', '新馬', false],
  ['4歳以上1勝クラス', '1勝クラス', false],
  ['潮来特別(2勝)', '2勝クラス', false],
  ['試験ステークス(OP)', 'オープン', false],
  ['試験ステークス(L)', 'L', false],
  ['第9回試験記念(GIII)', 'G3', false],
  ['第9回試験賞(GI)', 'G1', false],
  ['試験賞(G2)', 'G2', false],
  ['第9回試験ジャンプS(JGIII)', 'JG3', true],
  ['第9回試験スプリングJ(J・GII)', 'JG2', true],
  ['試験ジャンプS(OP)', '障害オープン', true],
  ['試験JS(OP)', '障害オープン', true],
  ['障害3歳以上未勝利', '障害未勝利', true],
  ['4歳以上500万下', '500万', false],
  ['GREETING特別', null, false],
])('the class of %s', (name, raceClass, jump) => {
  expect([classOf(name), isJump(name)]).toEqual([raceClass, jump])
})

test('names are without the marks of the trainer’s side and of allowances, in full-width kana', () => {
  const names = ['[東]試験太郎', '[西] 試験太郎', '▲試験太郎', 'Ｍ．テスト', 'ﾃｽﾄ', '']
  expect(names.map((cell) => nameIn({ n: cell }, 'n'))).toEqual([
    '試験太郎',
    '試験太郎',
    '試験太郎',
    'M.テスト',
    'テスト',
    null,
  ])
})

test('goings have other words on dirt, and may be one character', () => {
  expect(['良', '稍重', '稍', '重', '不良', '不'].map((word) => goingOf('turf', word))).toEqual([
    'firm',
    'good',
    'good',
    'yielding',
    'soft',
    'soft',
  ])
  expect(['良', '稍', '重', '不良', '深'].map((word) => goingOf('dirt', word))).toEqual([
    'standard',
    'good',
    'muddy',
    'sloppy',
    undefined,
  ])
})
