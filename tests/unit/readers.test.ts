import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { lengthsOf, printedLengths, usualLengths } from '../../domain/margin.ts'
import { centsText, parseDividendCents } from '../../domain/money.ts'
import { readFlag } from '../../domain/reading/read-flag.ts'
import { MOST_ODDS, readOdds } from '../../domain/reading/read-odds.ts'
import { readRaceTime } from '../../domain/reading/read-race-time.ts'
import { readNumbered } from '../../domain/reading/read-whole.ts'
import { meetingOf, offOf as betfairOff } from '../../server/ingest/gb/betfair-sp-cells.ts'
import { finishOf as finishOfScrape, offOf, prizeOf } from '../../server/ingest/gb/rpscrape-cells.ts'
import { GREAT_BRITAIN } from '../../domain/region.ts'
import { finishOf as finishOfHongKong } from '../../server/ingest/hk/hk-cells.ts'
import { CHINESE, ENGLISH } from '../../server/ingest/hk/words.ts'
import { finishOf as finishOfJapan, marginOf } from '../../server/ingest/jp/netkeiba-cells.ts'
import { clockTime, odds, saddleNumbers } from '../../server/ingest/reading/cells.ts'
import { finishOf as finishOfBris, offOf as brisOff } from '../../server/ingest/us/bris-cells.ts'
import { days, MONTHS, read, told, two } from '../support/readers.ts'

const clocks = fc.record({ hour: fc.integer({ min: 0, max: 23 }), minute: fc.integer({ min: 0, max: 59 }) })
/** Numbers of a clock that has no such hour or minute. */
const noClocks = fc.oneof(
  fc.record({ hour: fc.integer({ min: 24, max: 99 }), minute: fc.integer({ min: 0, max: 59 }) }),
  fc.record({ hour: fc.integer({ min: 0, max: 23 }), minute: fc.integer({ min: 60, max: 99 }) }),
)

describe('times of a day', () => {
  test('the clocks of a zone', () => {
    fc.assert(
      fc.property(days, clocks, fc.boolean(), ({ iso }, { hour, minute }, withSeconds) => {
        const at = `${hour}:${two(minute)}${withSeconds ? ':59.999' : ''}`
        expect(clockTime({ off: at }, 'off', iso, 'Asia/Tokyo')).toBe(
          new Date(Date.parse(`${iso}T${two(hour)}:${two(minute)}Z`) - 9 * 3_600_000).toISOString(),
        )
      }),
    )
    const other = fc.constantFrom(
      '1:05 PM',
      '13',
      '13:5',
      '1305',
      '13.05',
      '13h05',
      '-1:05',
      '13:05Z',
      'noon',
    )
    fc.assert(
      fc.property(
        fc.oneof(
          noClocks.map(({ hour, minute }) => `${hour}:${two(minute)}`),
          other,
        ),
        (off) => {
          expect(read(() => clockTime({ off }, 'off', '2024-06-01', 'Asia/Tokyo'))).toBe('bad-time')
        },
      ),
    )
  })

  test('an off of rpscrape is from ten in the morning on, with or without PM in mind', () => {
    fc.assert(
      fc.property(fc.integer({ min: 10, max: 21 }), fc.integer({ min: 0, max: 59 }), (hour, minute) => {
        const expected = `${hour}:${two(minute)}`
        expect(offOf({ off: expected }, 'off')).toBe(expected)
        if (hour > 12) expect(offOf({ off: `${hour - 12}:${two(minute)}` }, 'off')).toBe(expected)
      }),
    )
    fc.assert(
      fc.property(noClocks, ({ hour, minute }) => {
        expect(read(() => offOf({ off: `${hour}:${two(minute)}` }, 'off'))).toBe('not-a-time')
      }),
    )
    // Half past midnight is no time of a race, and not half past noon.
    for (const off of ['0:30', '00:30', '2.30', '2:3', '230', '2:30 PM', '-2:30', 'off'])
      expect(
        read(() => offOf({ off }, 'off')),
        off,
      ).toBe('not-a-time')
  })

  test('an off of Betfair', () => {
    fc.assert(
      fc.property(days, clocks, ({ y, m, d }, { hour, minute }) => {
        const time = `${two(d)}-${two(m)}-${y} ${hour}:${two(minute)}`
        expect(betfairOff({ time }, 'time')).toBe(`${two(hour)}:${two(minute)}`)
      }),
    )
    fc.assert(
      fc.property(noClocks, ({ hour, minute }) => {
        expect(read(() => betfairOff({ time: `01-06-2024 ${hour}:${two(minute)}` }, 'time'))).toBe('bad-time')
      }),
    )
  })

  test('a meeting of Betfair, whose day stands twice', () => {
    fc.assert(
      fc.property(days, days, ({ iso, y, m, d }, other) => {
        const menu = `GB / York ${d}th ${MONTHS[m - 1]}`
        const row = { menu, time: `${two(d)}-${two(m)}-${y} 14:00` }
        expect(meetingOf(row, 'menu', 'time')).toEqual({ stadiumId: 'GBYRK', date: iso })
        fc.pre(other.d !== d || other.m !== m)
        const time = `${two(other.d)}-${two(other.m)}-${other.y} 14:00`
        expect(read(() => meetingOf({ menu, time }, 'menu', 'time'))).toBe('day-contradicts-menu-hint')
      }),
    )
  })

  test('an off of the charts of BRIS', () => {
    const card = { track: 'BEL', card: 'D', race: '1' }
    fc.assert(
      fc.property(fc.integer({ min: 10, max: 21 }), fc.integer({ min: 0, max: 59 }), (hour, minute) => {
        const off = `0${two(hour > 12 ? hour - 12 : hour)}${two(minute)}`
        const expected = `2018-09-13T${two(hour + 4)}:${two(minute)}:00.000Z`
        if (hour < 20) expect(brisOff({ ...card, off }, '2018-09-13')).toBe(expected)
      }),
    )
    fc.assert(
      fc.property(fc.integer({ min: 13, max: 99 }), fc.integer({ min: 60, max: 99 }), (hour, minute) => {
        for (const off of [`0${hour}00`, `001${minute}`, `1:${minute}`])
          expect(
            read(() => brisOff({ ...card, off }, '2018-09-13')),
            off,
          ).toBe('bad-time')
      }),
    )
  })
})

describe('times of a race', () => {
  const hundredths = fc.integer({ min: 1000, max: 59_999 })

  test('a time reads back in each of its forms', () => {
    fc.assert(
      fc.property(hundredths, (time) => {
        const [minutes, seconds, rest] = [Math.trunc(time / 6000), Math.trunc(time / 100) % 60, time % 100]
        const texts = [
          `${minutes}:${two(seconds)}.${two(rest)}`,
          `${minutes}.${two(seconds)}.${two(rest)}`,
          `0:${two(minutes)}:${two(seconds)}.${two(rest)}`,
          `00:${two(minutes)}:${two(seconds)}.${two(rest)}0000`,
          `0:${minutes}:${two(seconds)}.${two(rest)}`,
        ]
        for (const text of texts) expect(told(readRaceTime(text)), text).toBe(time * 10)
        if (time < 10_000) expect(told(readRaceTime((time / 100).toFixed(2)))).toBe(time * 10)
      }),
    )
  })

  test('seconds and minutes beyond the clock, and what may be hours or hundredths, are refused', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 60, max: 99 }), (minutes, beyond) => {
        const texts = [
          `${minutes}:${beyond}.30`,
          `${minutes}.${beyond}.30`,
          `0:01:${beyond}.30`,
          `0:${beyond}:01.30`,
          `${minutes}:${two(beyond % 60)}`,
          `${minutes + 1}:10:${two(beyond % 60)}`,
          `${beyond}`,
          `-${minutes}:10.30`,
          `${minutes}:10.30 s`,
          `${minutes}:10,30`,
        ]
        for (const text of texts) expect(told(readRaceTime(text)), text).toBe('not-a-time')
      }),
    )
  })
})

describe('odds', () => {
  const price = fc.integer({ min: 101, max: MOST_ODDS * 100 }).map((hundredths) => hundredths / 100)

  test('decimal odds read back, with the mark of a favourite too', () => {
    fc.assert(
      fc.property(price, fc.constantFrom('', 'F', 'JF', ' C', 'CF2'), (value, mark) => {
        expect(told(readOdds(`${value}${mark}`))).toBe(value)
        expect(odds({ odds: String(value) }, 'odds')).toBe(value)
        expect(odds({ odds: value.toFixed(2) }, 'odds')).toBe(value)
      }),
    )
  })

  test('fractions read back, with either sign, and evens', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 999 }), fc.integer({ min: 1, max: 99 }), (won, staked) => {
        for (const text of [`${won}/${staked}`, `${won}-${staked}`, `${won} / ${staked}F`])
          expect(told(readOdds(text)), text).toBe(won / staked + 1)
      }),
    )
    expect(['Evens', 'evs', 'EvensF'].map((text) => told(readOdds(text)))).toEqual([2, 2, 2])
  })

  test('odds of nothing to win, beyond any, of another decimal sign or country are refused', () => {
    fc.assert(
      fc.property(price, (value) => {
        const read100 = (text: string) => read(() => odds({ odds: text }, 'odds'))
        for (const low of [`-${value}`, (value / (MOST_ODDS * 2)).toFixed(4), '0'])
          expect([told(readOdds(low)), read100(low)], low).toEqual(['out-of-range', 'odds-out-of-range'])
        const high = String(value + MOST_ODDS)
        expect([told(readOdds(high)), read100(high)]).toEqual(['out-of-range', 'odds-out-of-range'])
        const comma = value.toFixed(2).replace('.', ',')
        expect([told(readOdds(comma)), read100(comma)]).toEqual(['other-decimal-sign', 'other-decimal-sign'])
        // American odds, 250 to 100, are no decimal ones, and neither are shares.
        const plus = `+${Math.round(value)}`
        expect([told(readOdds(plus)), read100(plus)], plus).toEqual(['not-a-number', 'not-a-number'])
        for (const other of [`${value}%`, `${value}/0`, `${value} to 1`, `${value}x`])
          expect([told(readOdds(other)), read100(other)], other).toEqual(['not-a-number', 'not-a-number'])
      }),
    )
  })
})

test('flags read back in every case and width of letters, and no other word is one', () => {
  const yes = ['yes', 'y', 'true', 't', '1', '1.0', 'x', '✓', '✔', '是', '有']
  const no = ['no', 'n', 'false', 'f', '0', '0.0', '否']
  const shapes: readonly ((word: string) => string)[] = [
    (word) => word,
    (word) => word.toUpperCase(),
    (word) => ` ${word[0]!.toUpperCase()}${word.slice(1)}\u00A0`,
    (word) => word.replaceAll(/[!-~]/g, (letter) => String.fromCodePoint(letter.codePointAt(0)! + 0xfe_e0)),
  ]
  fc.assert(
    fc.property(fc.constantFrom(...yes, ...no), fc.constantFrom(...shapes), (word, shape) => {
      expect(told(readFlag(shape(word)))).toBe(yes.includes(word))
    }),
  )
  fc.assert(
    fc.property(
      fc.string(),
      fc.constantFrom('2', '-1', '10', '1.1', 'yess', 'not', 'ja', '0/1', 'on'),
      (any, word) => {
        expect(told(readFlag(word))).toBe('unknown-word')
        const read = told(readFlag(any))
        if (typeof read === 'boolean') expect([...yes, ...no]).toContain(any.trim().toLowerCase())
      },
    ),
  )
})

describe('places', () => {
  const place = fc.integer({ min: 1, max: 40 })
  const NONE = ['0', '00', '-1', '+1', '1.5', '1st', '100', '1 2', 'x', '①', 'constructor', '½']

  test.each([
    ['hk', (cell: string) => finishOfHongKong(CHINESE, cell, true), ' 平頭馬'],
    ['hk-en', (cell: string) => finishOfHongKong(ENGLISH, cell, true), ' DH'],
  ])('%s: a place reads back, with a dead heat', (_, finishOf, tied) => {
    fc.assert(
      fc.property(place, fc.boolean(), (value, deadHeat) => {
        expect(finishOf(`${value}${deadHeat ? tied : ''}`)).toMatchObject({
          status: 'finished',
          place: value,
          deadHeat,
        })
      }),
    )
    for (const cell of NONE)
      expect(
        read(() => finishOf(cell)),
        cell,
      ).toBe('unknown-place-code')
  })

  test('netkeiba: a place reads back, as pandas writes it too, and one that was demoted to', () => {
    fc.assert(
      fc.property(place, fc.constantFrom('', '.0', '(降)', '（再）'), (value, mark) => {
        expect(finishOfJapan({ 着順: `${value}${mark}` }, '着順')).toMatchObject({
          status: 'finished',
          place: value,
          isDemoted: mark === '(降)',
        })
      }),
    )
    // ① is 1 in its plain form.
    for (const cell of NONE.filter((each) => each !== '①'))
      expect(
        read(() => finishOfJapan({ 着順: cell }, '着順')),
        cell,
      ).toBe('unknown-place-code')
  })

  test('rpscrape and BRIS: a place reads back, as a decimal too', () => {
    fc.assert(
      fc.property(place, fc.constantFrom('', '.0'), (value, mark) => {
        const cell = `${value}${mark}`
        expect(finishOfScrape({ pos: cell }, 'pos')).toMatchObject({ status: 'finished', place: value })
        expect(finishOfBris({ program: '1', official: cell, behind: '0' })).toMatchObject({ place: value })
      }),
    )
    const refusals = ['unknown-place-code', 'not-a-number', 'not-whole', 'out-of-range']
    for (const cell of NONE.filter((each) => each !== '①'))
      expect(refusals, cell).toContain(read(() => finishOfScrape({ pos: cell }, 'pos')))
    for (const cell of ['-1', '1.5', '1st', '100', '1 2', 'x', 'constructor', '½'])
      expect(refusals, cell).toContain(
        read(() => finishOfBris({ program: '1', official: cell, behind: '0' })),
      )
  })
})

describe('margins', () => {
  const quarters = fc.integer({ min: 1, max: 199 })

  test('quarters of a length read back as they are printed, on both sides of the sea', () => {
    fc.assert(
      fc.property(quarters, (count) => {
        const lengths = count / 4
        const printed = printedLengths(lengths)!
        expect([lengthsOf(printed), usualLengths(printed)]).toEqual([lengths, lengths])
        expect(marginOf(printed.replace('-', '.'))).toEqual({ shown: printed, lengths })
      }),
    )
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 9999 }), (hundredths) => {
        expect(lengthsOf(String(hundredths / 100))).toBe(hundredths / 100)
      }),
    )
  })

  test('other fractions are no margin, and never another one', () => {
    const parts = fc.record({
      whole: fc.integer({ min: 0, max: 20 }),
      part: fc.integer({ min: 0, max: 9 }),
      of: fc.integer({ min: 0, max: 9 }),
    })
    fc.assert(
      fc.property(parts, ({ whole, part, of }) => {
        fc.pre(!['1/2', '1/4', '3/4'].includes(`${part}/${of}`))
        for (const fraction of [`${part}/${of}`, `${whole}-${part}/${of}`, `-${part}/${of}`])
          expect([lengthsOf(fraction), usualLengths(fraction)], fraction).toEqual([null, null])
        for (const fraction of [`${part}/${of}`, `${whole}.${part}/${of}`])
          expect(marginOf(fraction), fraction).toBeNull()
      }),
    )
    // Half a length has no point in these pages.
    for (const text of ['0', '0.5', '00', '1.5']) expect(marginOf(text), text).toBeNull()
    for (const text of ['', '-', '1-', '1,5', '1e3', '+1', '-1', 'ML', '大', 'constructor'])
      expect([lengthsOf(text), marginOf(text)], text).toEqual([null, null])
  })
})

describe('numbers of runners and races, and money', () => {
  test('saddle numbers read back, and two of one are none', () => {
    const numbers = fc.uniqueArray(fc.integer({ min: 1, max: 99 }), { minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(numbers, fc.constantFrom('', '.0', '.'), (horses, mark) => {
        expect(saddleNumbers(horses.map((no) => `${no}${mark}`))).toEqual(horses)
        expect(saddleNumbers([...horses, horses[0]!].map(String))).toBeNull()
      }),
    )
    for (const cell of ['0', '00', '100', '1A', '-1', '1.5', '', 'x', '1/2'])
      expect(saddleNumbers([cell]), cell).toBeNull()
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 99 }), (no) => {
        for (const text of [`R${no}`, `Race ${no}`, `第${no}場`, `${no}R`, String(no)])
          expect(told(readNumbered(text, 'race')), text).toBe(no)
        for (const text of [`${no}A`, `${no}-1`, `${no}.5`, `-${no}`, `${no}½`])
          expect(told(readNumbered(text, 'race')), text).toBe('not-a-number')
      }),
    )
  })

  test('dividends read back in every unit, and no other amount is one', () => {
    const cents = fc.integer({ min: 0, max: 1e10 })
    const grouped = (amount: string): string => amount.replaceAll(/\B(?=(?:\d{3})+\.)/g, ',')
    fc.assert(
      fc.property(cents, (value) => {
        const text = centsText(value)
        for (const amount of [text, grouped(text), `${grouped(text)}/$10`, `${text}/$10.00`])
          expect(parseDividendCents(amount), amount).toBe(value)
        expect(parseDividendCents(`${text}/$1`)).toBe(value * 10)
        for (const amount of [
          `-${text}`,
          `${text}5`,
          `${text}/$0`,
          `${text}/$`,
          `${text}/$1/$5`,
          `$${text}`,
          `${text} x`,
        ])
          expect(() => parseDividendCents(amount), amount).toThrow(
            expect.objectContaining({ code: 'bad-amount' }),
          )
      }),
    )
  })

  test('prizes of rpscrape read back, with commas where thousands are divided alone', () => {
    const prize = (cell: string) => read(() => prizeOf({ prize: cell }, 'prize', GREAT_BRITAIN))
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e9 }), (value) => {
        const text = centsText(value)
        const grouped = text.replaceAll(/\B(?=(?:\d{3})+\.)/g, ',')
        for (const cell of [text, grouped, `£${grouped}`]) expect(prize(cell), cell).toBe(value)
        expect(prize(`€${text}`)).toBeNull()
        for (const cell of [`-${text}`, `${text}1`, `$${text}`, `${text} m`])
          expect(prize(cell), cell).toBe('not-a-number')
      }),
    )
    for (const cell of ['1,5', '1,23', '1,2,3', '12,34.50', '1,234,5', '1,'])
      expect(prize(cell), cell).toBe('not-a-number')
  })
})
