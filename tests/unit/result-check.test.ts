import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Finish, type Finisher } from '../../domain/finish.ts'
import { contradiction, isConfirmable, lineFault, placesFault } from '../../domain/result-check.ts'

/** Horses 1, 2, … with these places; `null`: started and not placed, `out`: withdrawn. */
const field = (...places: (number | null | 'out')[]): Finisher[] =>
  places.map((place, index) => ({
    horseNo: index + 1,
    started: place !== 'out',
    place: place === 'out' ? null : place,
  }))

describe('places', () => {
  test.each<[string, Finisher[], string | null]>([
    ['an ordinary race', field(2, 1, 3, 4), null],
    ['a dead heat for first', field(1, 1, 3), null],
    ['a dead heat for third', field(1, 2, 3, 3), null],
    ['a triple dead heat', field(1, 1, 1, 4), null],
    ['two runners in a dead heat', field(1, 1), null],
    ['a walkover', field(1, 'out'), null],
    ['one horse pulled up, one withdrawn', field(1, 2, null, 'out'), null],
    ['no winner', field(2, 3, 4), 'no-winner'],
    ['all pulled up', field(null, null), 'no-winner'],
    ['nobody started', field('out', 'out'), 'no-winner'],
    ['a place beyond the field', field(1, 2, 5, 4), 'place-beyond-field'],
    ['a place that a withdrawn horse would have had', field(1, 2, 4, 'out'), 'place-beyond-field'],
    ['1, 1, 2, 3', field(1, 1, 2, 3), 'places-overlap'],
    ['1, 2, 2, 3', field(1, 2, 2, 3), 'places-overlap'],
    ['1, 2, 4', field(1, 2, 4, null), 'place-missing'],
    ['all of three first', field(1, 1, 1), 'too-many-first'],
    ['four first of six', field(1, 1, 1, 1, 5, 6), 'too-many-first'],
  ])('%s', (_, finishers, expected) => {
    expect(placesFault(finishers)?.problem ?? null).toBe(expected)
  })

  test('a result without a fault, or with one that can be confirmed, can be settled', () => {
    const place = fc.option(fc.integer({ min: 1, max: 7 }))
    fc.assert(
      fc.property(fc.array(place, { minLength: 1, maxLength: 6 }), (places) => {
        const finishers = field(...places)
        const found = placesFault(finishers)
        if (found === null || isConfirmable(found.problem)) expect(() => new Finish(finishers)).not.toThrow()
      }),
    )
  })
})

describe('dividends', () => {
  const line = (gameplayClass: number | null, combination: string, status: 'paid' | 'refund' = 'paid') => ({
    gameplayClass,
    combination,
    status,
  })
  const runners = field(1, 2, 3, 4, 'out')

  test.each([
    [line(1, '1'), null],
    [line(3, '1-2'), null],
    [line(1, '9'), 'no-such-runner'],
    [line(4, '1-99'), 'no-such-runner'],
    [line(1, '5'), 'withdrawn-runner'],
    [line(1, '5', 'refund'), null],
    [line(1, '9', 'refund'), 'no-such-runner'],
    [line(2, '', 'refund'), null],
    // Of a double, the first horse ran in another race.
    [line(10, '12/1'), null],
    [line(10, '12/9'), 'no-such-runner'],
    [line(10, '12/F'), null],
    [line(10, '12/1,2'), null],
    // A withdrawn horse stands for the favourite, also one without a number of its own.
    [line(10, '12/1,5'), null],
    [line(10, '12/1,14'), null],
    [line(10, '12/5'), 'withdrawn-runner'],
    // A pool that is no bet type of ours.
    [line(null, 'anything'), null],
  ])('%j', (given, expected) => {
    expect(lineFault(given, runners)?.problem ?? null).toBe(expected)
  })

  test('an entry is paid under its number while any of its horses runs', () => {
    const entry = field(2, 1, 'out').map((each) => (each.horseNo > 1 ? { ...each, entryNo: 3 } : each))
    expect(lineFault(line(1, '3'), entry)).toBeNull()
    expect(contradiction([line(1, '3')], entry, 0)).toBeNull()
  })

  test.each([
    ['the winner', [line(1, '1')], null],
    ['another horse', [line(1, '2')], 'win 2 was paid, and does not win'],
    ['the wrong order', [line(5, '2-1')], 'forecast 2-1 was paid, and does not win'],
    ['a place beyond the places paid', [line(2, '1'), line(2, '3')], 'place 3 was paid, and does not win'],
    ['a refund', [line(1, '2', 'refund')], null],
    ['a double', [line(10, '3/2')], null],
  ])('paid to %s', (_, lines, expected) => {
    expect(contradiction(lines, runners, 2)?.detail ?? null).toBe(expected)
  })

  test('no place pool is judged where our rules pay no places, and nothing where places contradict each other', () => {
    expect(contradiction([line(2, '4')], runners, 0)).toBeNull()
    expect(contradiction([line(1, '2')], field(1, 1, 2), 0)).toBeNull()
  })
})
