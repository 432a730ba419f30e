import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DAY_ORDERS, readDay, type DayForm } from '../../domain/reading/read-day.ts'
import { readInstant } from '../../domain/reading/read-instant.ts'
import { instant, isoDay } from '../../server/ingest/reading/cells.ts'
import { days, MONTHS, read, told, two, type Day } from '../support/readers.ts'

/** Parts of which the calendar has no day. */
const noDays = fc.oneof(
  fc.record({
    y: fc.integer({ min: 1970, max: 2068 }),
    m: fc.integer({ min: 13, max: 99 }),
    d: fc.integer({ min: 1, max: 12 }),
  }),
  fc.record({
    y: fc.integer({ min: 1970, max: 2068 }),
    m: fc.integer({ min: 1, max: 12 }),
    d: fc.integer({ min: 32, max: 99 }),
  }),
  fc.record({ y: fc.integer({ min: 1970, max: 2068 }), m: fc.constantFrom(4, 6, 9, 11), d: fc.constant(31) }),
  fc.record({ y: fc.integer({ min: 1970, max: 2068 }), m: fc.constant(2), d: fc.constantFrom(30, 31) }),
  fc.record({ y: fc.integer({ min: 1970, max: 2068 }), m: fc.constantFrom(0, 1), d: fc.constant(0) }),
)

const LONG = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]

/** Forms of a day that have one reading, whatever the order of the layout. */
const DAY_FORMS: readonly ((of: Omit<Day, 'iso'>) => string)[] = [
  ({ y, m, d }) => `${y}-${two(m)}-${two(d)}`,
  ({ y, m, d }) => `${y}/${m}/${d}`,
  ({ y, m, d }) => `${y}.${two(m)}.${two(d)}`,
  ({ y, m, d }) => `${y}年${m}月${d}日`,
  ({ y, m, d }) => `${y}${two(m)}${two(d)}`,
  ({ y, m, d }) => `${d}.${m}.${y}`,
]
const DAY_WORDS: readonly ((of: Day) => string)[] = [
  ({ y, m, d }) => `${d} ${MONTHS[m - 1]} ${y}`,
  ({ y, m, d }) => `${d}-${MONTHS[m - 1]!.toUpperCase()}-${two(y % 100)}`,
  ({ y, m, d }) => `${LONG[m - 1]} ${d}, ${y}`,
  ({ y, m, d }) => `${MONTHS[m - 1]} ${d} ’${two(y % 100)}`,
  ({ y, m, d }) => `${y} ${LONG[m - 1]} ${d}`,
]
const WITH: readonly ((day: string) => string)[] = [
  (day) => day,
  (day) => ` ${day}\u00A0`,
  (day) => `${day} 13:30`,
  (day) => `${day} 9:05:07`,
  (day) => `${day} 1:05 PM`,
]

describe('days', () => {
  const form: DayForm = { order: null, timeZone: 'Asia/Hong_Kong' }
  const written = fc.constantFrom(...WITH)

  test('a day reads back from every form that has one reading', () => {
    fc.assert(
      fc.property(days, fc.constantFrom(...DAY_FORMS, ...DAY_WORDS), written, (day, write, wrap) => {
        expect(told(readDay(wrap(write(day)), form))).toBe(day.iso)
      }),
    )
  })

  test('in an order, each form of numbers reads back; without one, only a day with one reading does', () => {
    const separators = fc.constantFrom('/', '-', ' ')
    fc.assert(
      fc.property(
        days,
        fc.constantFrom(...DAY_ORDERS),
        separators,
        fc.boolean(),
        ({ iso, y, m, d }, order, sign, short) => {
          const year = short || order === 'ymd' ? two(y % 100) : String(y)
          const parts = { dmy: [d, m, year], mdy: [m, d, year], ymd: [year, two(m), two(d)] }[order]
          const text = parts.join(sign)
          expect(told(readDay(text, { ...form, order }))).toBe(iso)
          expect([iso, 'two-readings']).toContain(told(readDay(text, form)))
        },
      ),
    )
  })

  test('an instant is the day of the zone', () => {
    // Hong Kong had summer time until 1979; since then its clock is 8 hours before that of UTC on every day.
    const daysOfOneClock = days.filter(({ y }) => y >= 1980)
    fc.assert(
      fc.property(daysOfOneClock, fc.integer({ min: 0, max: 23 }), ({ iso }, hour) => {
        const next = new Date(Date.parse(iso) + 86_400_000).toISOString().slice(0, 10)
        expect(told(readDay(`${iso}T${two(hour)}:30:00Z`, form))).toBe(hour < 16 ? iso : next)
        expect(told(readDay(`${iso} ${two(hour)}:30:00+08:00`, form))).toBe(iso)
      }),
    )
  })

  test('a day of no calendar is refused in every form, and never becomes another one', () => {
    const orders = fc.constantFrom(null, ...DAY_ORDERS)
    fc.assert(
      fc.property(noDays, fc.constantFrom(...DAY_FORMS), orders, (day, write, order) => {
        expect(['no-such-day', 'not-a-day']).toContain(told(readDay(write(day), { ...form, order })))
      }),
    )
  })

  test('what lacks a part of the day is refused: a month, a year, a day without its year', () => {
    fc.assert(
      fc.property(days, ({ y, m, d }) => {
        const texts = [
          `${MONTHS[m - 1]} ${y}`,
          `${LONG[m - 1]}${y}`,
          `${y} ${LONG[m - 1]}`,
          `${d} ${MONTHS[m - 1]}`,
          `${LONG[m - 1]} ${d}`,
          `${y}-${two(m)}`,
          `${m}/${y}`,
          `${d}/${m}`,
          String(y),
          `${y}年${m}月`,
        ]
        for (const text of texts) expect(told(readDay(text, form)), text).toBe('not-a-day')
      }),
    )
  })

  test('a text around the day is not dropped, and no other text is a day', () => {
    fc.assert(
      fc.property(days, fc.constantFrom('x', '?', '*', '#1', '/7', '-2', '99', '½'), ({ iso }, more) => {
        expect(told(readDay(`${iso}${more}`, form))).toMatch(/^(?:not-a-day|no-such-day)$/)
        expect(told(readDay(`${more}${iso}`, form))).toMatch(/^(?:not-a-day|no-such-day)$/)
      }),
    )
    fc.assert(
      fc.property(fc.stringMatching(/^[a-exyz,;:!#&]*$/), (text) => {
        expect(told(readDay(text, form))).toMatch(/^(?:not-a-day|missing)$/)
      }),
    )
  })

  test('the cell of an ISO day takes that form alone', () => {
    fc.assert(
      fc.property(days, fc.constantFrom(...DAY_FORMS.slice(1), ...DAY_WORDS), (day, write) => {
        expect(read(() => isoDay({ day: day.iso }, 'day'))).toBe(day.iso)
        expect(read(() => isoDay({ day: write(day) }, 'day'))).toBe('bad-date')
      }),
    )
    fc.assert(
      fc.property(noDays, ({ y, m, d }) => {
        expect(read(() => isoDay({ day: `${y}-${two(m)}-${two(d)}` }, 'day'))).toBe('bad-date')
      }),
    )
  })
})

describe('instants', () => {
  const instants = fc.date({
    min: new Date('1901-01-01T00:00:00Z'),
    max: new Date('2099-12-30T00:00:00Z'),
    noInvalidDate: true,
  })
  const offsets = fc.integer({ min: -14 * 4, max: 14 * 4 }).map((quarters) => quarters * 15)
  const offsetText = (minutes: number, sign = ':'): string =>
    `${minutes < 0 ? '-' : '+'}${two(Math.trunc(Math.abs(minutes) / 60))}${sign}${two(Math.abs(minutes) % 60)}`

  test('an instant reads back in UTC and with every offset', () => {
    fc.assert(
      fc.property(instants, offsets, (at, offset) => {
        const iso = at.toISOString()
        const local = new Date(at.getTime() + offset * 60_000).toISOString().slice(0, -1)
        for (const text of [
          iso,
          iso.replace('T', ' '),
          iso.replaceAll(/[-:]/g, ''),
          `${local}${offsetText(offset)}`,
          `${local} ${offsetText(offset, '')}`,
        ]) {
          expect(told(readInstant(text)), text).toBe(iso)
          expect(instant({ at: text }, 'at')).toBe(iso)
        }
      }),
    )
  })

  test('without a zone, without a time, and beyond the clock it is refused', () => {
    fc.assert(
      fc.property(
        instants,
        fc.integer({ min: 24, max: 99 }),
        fc.integer({ min: 60, max: 99 }),
        (at, hour, minute) => {
          const iso = at.toISOString()
          const day = iso.slice(0, 10)
          expect(read(() => instant({ at: iso.slice(0, -1) }, 'at'))).toBe('no-zone')
          expect(read(() => instant({ at: day }, 'at'))).toBe('not-an-instant')
          expect(read(() => instant({ at: iso.slice(11) }, 'at'))).toBe('not-an-instant')
          for (const text of [`${day}T${hour}:00:00Z`, `${day}T00:${minute}:00Z`, `${day}T00:00:${minute}Z`])
            expect(
              read(() => instant({ at: text }, 'at')),
              text,
            ).toBe('no-such-day')
          expect(read(() => instant({ at: `${day}T00:00:00+${two(15 + (hour % 80))}:00` }, 'at'))).toBe(
            'no-such-day',
          )
        },
      ),
    )
  })

  test('no other text is an instant', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(typeof told(readInstant(text))).toBe('string')
        expect(told(readInstant(`${text}x`))).toMatch(/^(?:not-an-instant|no-zone)$/)
      }),
    )
  })
})
