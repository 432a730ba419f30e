// @module-tag soak
import { expect, test } from 'vitest'
import { benchScale } from '../../bench/scale.ts'

/**
 * Statements that read a whole growing table intentionally: in operator commands, builds and imports, never for a user.
 */
const ON_PURPOSE = [
  // The doctor compares every race with every other, a season at a time.
  /^select distinct region_id, season from race order by 1, 2$/,
  /from runner join horse on horse\.id = horse_id where finish_time_ms is not null and race_id in \(select id from race/,
  // A build follows every region's chain of commitments from its first entry.
  /from prediction_lock order by region_id, number$/,
  // Horses are few compared with their runs, so a batch of cards, results or dividends reads all their names.
  /^select id, key, name_hant as name from horse/,
  /from runner join horse on horse\.id = horse_id where finish_time_ms is not null and race_id in \(select race_id from horse/,
]
/** Pictures are stored and read by id (`tests/service/pictures.test.ts`); engine errors are counted without a statement. */
const NOT_CALLED = ['POST /sys/api/uploadAvatar', 'POST /sys/common/upload', 'POST /sys/api/engineError']

test('a million customers and 50 regions of 20 seasons: every call is answered, and none reads a whole table', async () => {
  const scale = { customers: 1_000_000, subscriptions: 10_000_000, regions: 50, seasons: 20 }
  const report = await benchScale(scale, 10_000, () => {})
  expect(report.calls.left).toEqual(NOT_CALLED)
  expect(
    report.calls.refused.filter(({ refused }) => Object.keys(refused).some((status) => status >= '500')),
  ).toEqual([])
  expect(report.wholeReads.filter(({ text }) => !ON_PURPOSE.some((one) => one.test(text)))).toEqual([])
  expect(report.sockets).toMatchObject({ opened: 10_000, heard: { sockets: 5000 } })
})
