import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { csvFilesAt, openCsv, readRows, type CsvRow } from '../../server/ingest/reading/csv-file.ts'
import { formatNamed } from '../../server/ingest/recognise.ts'
import { marketReader } from '../../server/ingest/reading/market-file.ts'
import { WIN_MARKET_BZ2, ZEROS_BZ2 } from '../support/market-bz2.ts'
import { MarketFile, winMarket } from '../support/market-files.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'furlong-market-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

function written(content: string | Buffer, name = '1.900000001'): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

async function rowsOf(content: string | Buffer, name?: string): Promise<CsvRow[]> {
  const rows: CsvRow[] = []
  for await (const { row } of readRows(await openCsv(written(content, name), 'utf8'))) rows.push(row)
  return rows
}

const refusalOf = (content: string | Buffer): Promise<unknown> =>
  rowsOf(content).then(
    () => null,
    (error: { code: string; details: { reason: string } }) => `${error.code}: ${error.details.reason}`,
  )

/** Prices of a row with the minutes before the off of `winMarket`. */
const prices = (row: CsvRow): string[] =>
  row['prices'] === ''
    ? []
    : row['prices']!.split(';').map((pair) => {
        const [pt, price] = pair.split(' ').map(Number)
        return `${(Date.parse('2024-06-14T18:55:00.000Z') - pt!) / 60_000} ${price}`
      })

describe('a market of the stream', () => {
  test('has odds of before the off, without what a removal published, and the names of its first definition', async () => {
    const rows = await rowsOf(winMarket().text())
    expect(
      rows.map((row) => `${row['runner']} ${row['runner_name']} ${row['runner_status']} ${row['bsp']}`),
    ).toEqual([
      '100 Tin Kettle WINNER 4.15',
      '101 Brass Button REMOVED ',
      '102 Cedar Mile LOSER 6.15',
      '103 Dusty Lane LOSER 7.15',
      '104 Old Harbour LOSER 8.15',
      '105 Pale Ale LOSER 9.15',
    ])
    // At 60 minutes all prices were multiplied by 0.93.
    expect(prices(rows[0]!)).toEqual(['300 4', '200 5', '50 4.5', '30 4'])
    // What it was at after its removal, 9.9, is no price.
    expect(prices(rows[1]!)).toEqual(['300 5', '200 6'])
    expect(
      rows.map((row) => [row['prices_after_off'], row['prices_of_reductions'], row['prices_after_removal']]),
    ).toEqual([['2', '1', '0'], ['0', '0', '1'], ...Array.from({ length: 4 }, () => ['2', '1', '0'])])
    expect(rows[0]).toMatchObject({
      market: '1.900000001',
      market_type: 'WIN',
      market_status: 'CLOSED',
      country: 'GB',
      venue: 'Hamilton',
      timezone: 'Europe/London',
      starts_at: '2024-06-14T18:55:00.000Z',
      winners: '1',
    })
  })

  test('has a price again that was the last one before a reduction, and none that is only repeated', async () => {
    const runners = [
      { id: 1, name: 'One' },
      { id: 2, name: 'Two' },
    ]
    const removed = [runners[0]!, { ...runners[1]!, status: 'REMOVED' }]
    const text = new MarketFile()
      .define(90, runners)
      .prices(80, { 1: 5 })
      .prices(79, { 1: 5 })
      .define(70, removed)
      // The same message may come in two lines.
      .prices(70, { 1: 4.65 })
      .prices(60, { 1: 5 })
      .define(0, removed, { bspReconciled: true })
      .prices(-1, { 1: 3 })
      .text()
    const [one] = await rowsOf(text)
    expect(prices(one!)).toEqual(['80 5', '60 5'])
    expect([one!['prices_of_reductions'], one!['prices_after_off']]).toEqual(['1', '1'])
  })

  test('is the same compressed, in several files of one, and beside other markets', async () => {
    const rows = await rowsOf(winMarket().text())
    expect(await rowsOf(WIN_MARKET_BZ2, '1.900000001.bz2')).toEqual(rows)
    const other = new MarketFile({ id: '1.7' })
      .define(9, [{ id: 1, name: 'One' }], { status: 'CLOSED' })
      .text()
    expect(await rowsOf(`\uFEFF${winMarket().text()}\n${other}`)).toEqual([
      ...rows,
      expect.objectContaining({ market: '1.7', runner: '1' }),
    ])
  })

  test.each([20, 100, 700, WIN_MARKET_BZ2.length - 12, WIN_MARKET_BZ2.length - 1])(
    'is refused if its compressed file is cut after %i bytes',
    async (bytes) => {
      expect(await refusalOf(WIN_MARKET_BZ2.subarray(0, bytes))).toMatch(
        /^file-unreadable: damaged or cut behind line \d+: the compressed data end too early$/,
      )
    },
  )

  test('is refused with the line of what is no message of it', async () => {
    const damaged = Buffer.from(WIN_MARKET_BZ2)
    damaged[600]! ^= 4
    expect(await refusalOf(damaged)).toBe(
      'file-unreadable: damaged or cut behind line 0: the compressed data are damaged',
    )
    const text = winMarket().text()
    expect(await refusalOf(text.slice(0, -40))).toBe('file-unreadable: line 9: no JSON; the file may be cut')
    const [first, ...rest] = text.split('\n')
    expect(await refusalOf(rest.join('\n'))).toBe(
      'file-unreadable: line 1: market 1.900000001 has no definition',
    )
    expect(await refusalOf(`${first}\n${new MarketFile().prices(3, { 77: 2 }).text()}`)).toBe(
      'file-unreadable: line 2: market 1.900000001 has no runner 77',
    )
    expect(await refusalOf(`${first}\n${rest[0]!.replace('"ltp":4', '"ltp":"4"')}`)).toMatch(
      /^file-unreadable: line 2: mc\.0\.rc\.0\.ltp: /,
    )
    expect(await refusalOf('{"op":"mcm","pt":1718391600000}\n')).toBe('file-unreadable: empty')
    for (const pt of [0, 1_718_391_600])
      expect(await refusalOf(`{"op":"mcm","pt":${pt}}\n`)).toBe(
        'file-unreadable: line 1: pt: no milliseconds of a time since the year 2000',
      )
    expect(await refusalOf(`${first}\n{${'"'.repeat(5_000_000)}`)).toBe('file-unreadable: line 2 is too long')
    expect(
      await refusalOf(Buffer.concat([Buffer.from(`${first}\n`), Buffer.from([0xff, 0xfe, 0x0a])])),
    ).toMatch(/^file-unreadable: damaged or cut behind line \d: /)
  })

  test.each([5000, 20_000])('is read up to a limit of %i bytes, compressed or not', async (most) => {
    const refused = {
      code: 'file-unreadable',
      details: { file: '1.900000001', reason: `more than ${most} bytes when it is not compressed` },
    }
    const repeated = Buffer.concat(Array.from({ length: 20 }, () => WIN_MARKET_BZ2))
    await expect(marketReader(written(repeated), 'BZh9', most)!().next()).rejects.toMatchObject(refused)
    const text = winMarket().text().repeat(20)
    await expect(marketReader(written(text), '{"op":"mcm"', most)!().next()).rejects.toMatchObject(refused)
  })

  test('that would be gigabytes is refused as soon as it has more than its limit', async () => {
    const path = written(Buffer.concat(Array.from({ length: 200 }, () => ZEROS_BZ2)))
    const before = process.memoryUsage().rss
    await expect(marketReader(path, 'BZh9', 20_000_000)!().next()).rejects.toMatchObject({
      details: { reason: 'more than 20000000 bytes when it is not compressed' },
    })
    expect(process.memoryUsage().rss - before).toBeLessThan(300_000_000)
    await expect(marketReader(path, 'BZh9')!().next()).rejects.toMatchObject({
      details: { reason: 'line 1 is too long' },
    })
  })

  test('has no price of the moment of the off or of a removal, whichever of its lines or changes comes first', async () => {
    const runners = [
      { id: 1, name: 'One' },
      { id: 2, name: 'Two' },
    ]
    const removed = [runners[0]!, { ...runners[1]!, status: 'REMOVED' }]
    const file = new MarketFile()
      .define(90, runners)
      .prices(80, { 1: 5, 2: 6 })
      // The prices' line before that of the removal.
      .prices(70, { 1: 4.65 })
      .define(70, removed)
      .prices(60, { 1: 5.5 })
      // In the message of the off, before its definition.
      .define(0, removed, { inPlay: true })
    const off = file.messages.at(-1)!
    off.mc.unshift({ ...off.mc[0], marketDefinition: undefined, rc: [{ id: 1, ltp: 1.01 }] })
    const [one] = await rowsOf(file.text())
    expect(prices(one!)).toEqual(['80 5', '60 5.5'])
    expect([one!['prices_of_reductions'], one!['prices_after_off']]).toEqual(['1', '1'])
    // The prices' line before that of the off.
    const other = new MarketFile()
      .define(90, runners)
      .prices(80, { 1: 5 })
      .prices(0, { 1: 1.01 })
      .define(0, runners, { bspReconciled: true })
      .text()
    const [first] = await rowsOf(other)
    expect(prices(first!)).toEqual(['80 5'])
    expect(first!['prices_after_off']).toBe('1')
  })

  test('counts the price that has another one of its moment, and has a starting price that is a text', async () => {
    const runners = [{ id: 1, name: 'One' }]
    const text = new MarketFile()
      .define(90, runners)
      .prices(80, { 1: 5 })
      .prices(80, { 1: 6 })
      .define(0, [{ id: 1, bsp: '3.5' }], { inPlay: true })
      .text()
    const [one] = await rowsOf(text)
    expect(prices(one!)).toEqual(['80 6'])
    expect([one!['prices_replaced'], one!['bsp']]).toEqual(['1', '3.5'])
    const [none] = await rowsOf(text.replace('"3.5"', '"NaN"'))
    expect(none!['bsp']).toBe('')
  })

  test('is found in the folders of a folder that has no table', () => {
    const meeting = join(folder, 'Jun', '14', '28270094')
    mkdirSync(meeting, { recursive: true })
    const names = ['1.132153978.bz2', '1.132153979', 'BASIC-1.132153970.json', 'notes.txt', '28270094.tar']
    for (const name of names) writeFileSync(join(meeting, name), 'x')
    expect(csvFilesAt(folder).toSorted()).toEqual(
      names
        .slice(0, 3)
        .map((name) => join(meeting, name))
        .toSorted(),
    )
    writeFileSync(join(folder, 'races.csv'), 'x')
    expect(csvFilesAt(folder)).toEqual([join(folder, 'races.csv')])
  })

  test('is recognised among many, each opened once, and others have their turns', async () => {
    const count = 200
    for (let index = 0; index < count; index += 1)
      written(new MarketFile().define(9, [{ id: 1, name: 'One' }]).text(), `1.9${index}`)
    let [turns, isDone] = [0, false]
    const turn = (): void => {
      turns += 1
      if (!isDone) setImmediate(turn)
    }
    setImmediate(turn)
    const { format, why } = await formatNamed('auto', [folder])
    isDone = true
    expect(format.name).toBe('betfair-stream')
    expect(why).toContain(`${count} of ${count} files`)
    expect(turns).toBeGreaterThanOrEqual(count)
    expect(turns).toBeLessThan(2 * count)
  })
})
