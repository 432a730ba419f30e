// @module-tag rest
import { beforeAll, describe, expect, test } from 'vitest'
import { OwnReader } from '../support/own-reader.ts'

/** What the engine of the browser is asked about a file of one's own, also one that is replaced or cancelled meanwhile. */

let reader: OwnReader
beforeAll(async () => {
  const runners = [1, 2, 3, 4].map((no) => ({ no, brand: `K00${no}` }))
  reader = await OwnReader.open([{ id: 'HKSHT2031030401', runners }])
})

const csv = (...lines: string[]): string => `${lines.join('\n')}\n`

describe('a reading that is given up', () => {
  // A column that counts the rows is dropped from the engine's table while the file is described.
  const OLD = csv(
    ',date,race_no,no,horse,figure',
    ...[1, 2, 3].map((no) => `${no},2031-03-04,1,${no},n/a,"${no},5"`),
  )
  const NEW = csv('date,race_no,no,rating', ...[1, 2, 3, 4].map((no) => `2031-03-04,1,${no},${no}.5`))
  /** Waits for a number of turns of the queue of promises: a reading is then at one of its steps. */
  const turns = async (count: number): Promise<void> => {
    for (let turn = 0; turn < count; turn += 1) await Promise.resolve()
  }
  /** Begins to read the old file and does something else at each of its steps. */
  async function atEachStep(other: (older: Promise<'read' | 'cancelled'>) => Promise<void>): Promise<void> {
    for (let at = 0; ; at += 7) {
      let isRead = false
      const older = reader.read(OLD).then(
        () => {
          isRead = true
          return 'read' as const
        },
        (error: unknown) => {
          expect(error).toMatchObject({ code: 'query-cancelled' })
          return 'cancelled' as const
        },
      )
      await turns(at)
      if (isRead) return
      await other(older)
    }
  }

  test('never changes or matches the rows of the file that is read instead', async () => {
    const alone = await reader.read(NEW)
    const ends: string[] = []
    await atEachStep(async (older) => {
      const [end, { file, match }] = await Promise.all([older, reader.match(NEW)])
      ends.push(end)
      expect([file, match.matched]).toEqual([alone, 4])
    })
    expect(ends.length).toBeGreaterThan(10)
    // At its last step it may have been read.
    expect(new Set(ends.slice(0, -1))).toEqual(new Set(['cancelled']))
  })
  test('asks nothing more of the engine, and leaves no rows', async () => {
    const first = reader.calls.length
    await reader.read(OLD)
    expect(reader.calls.length - first).toBeGreaterThan(12)
    await atEachStep(async (older) => {
      await reader.cancel()
      const before = reader.calls.length
      if ((await older) === 'read') return
      // The transaction in which the rows are written, and the table that is dropped.
      expect(reader.calls.length - before).toBeLessThanOrEqual(5)
      expect(reader.rows("SELECT * FROM duckdb_tables() WHERE table_name = 'own_raw'")).toEqual([])
    })
  })
})

describe('a file of more rows than are looked at', () => {
  test('is described by rows of all of it', async () => {
    const rows = Array.from(
      { length: 7000 },
      (_, at) => `2031-03-04;1;${at + 1};${at < 4000 ? '' : `${at},5`}`,
    )
    const { columns, sign } = await reader.read(csv('date;race_no;no;figure', ...rows))
    expect(columns.at(-1)).toMatchObject({ kind: 'number', filled: 3000, odd: 0 })
    expect(sign.decimal).toBe(',')
  })
})

test('names are looked up once, however many orders of the days are tried', async () => {
  const file = csv(
    'date,course,race_no,horse',
    ...['K001', 'K002'].map((horse) => `04/03/2031,ST,1,${horse}`),
  )
  const begun = reader.calls.length
  const { match } = await reader.match(file)
  expect([match.matched, match.days?.by, match.days?.orders]).toEqual([2, 'matched', ['dmy', 'mdy']])
  const asked = reader.calls.slice(begun)
  const created = (table: string): number =>
    asked.filter((sql) => new RegExp(`CREATE OR REPLACE (TEMP )?TABLE ${table}\\b`).test(sql)).length
  expect(created('own_match')).toBeGreaterThan(1)
  expect(['own_horse', 'own_runner', 'own_known', 'own_venue'].map(created)).toEqual([1, 1, 1, 1])
})
