import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'csv-parse'
import { groupBy } from '../domain/group-by.ts'
import { seededRandom } from '../domain/random.ts'
import { addDays } from '../domain/region.ts'
import { shuffled } from '../server/ingest/demo/stable.ts'
import { residentMegabytes } from '../tests/support/server-process.ts'
import { COMMAND } from '../tools/lib/program.mjs'

const RACES = 10_000
/** The days that are repeated. */
const WEEKS = 3
const WATCH_MS = 200
/** What is of a horse in its race; the other columns are of the race or of a place in it. */
const OF_HORSE = 'num,draw,horse,age,sex,lbs,jockey,trainer,or,sire,dam,damsire,owner,dec'.split(',')

type Row = Record<string, string>

export interface SeasonReport {
  races: number
  rows: number
  /** Duration of the whole import, with training, predictions and files. */
  seconds: number
  /** The largest resident memory of its process, embedded database included. */
  megabytes: number
}

/** British and Irish races of the last weeks of a file, in their order. */
async function racesOf(file: string): Promise<Row[][]> {
  const all: Row[] = []
  for await (const row of createReadStream(file).pipe(parse({ columns: true, bom: true }))) all.push(row)
  const last = all.map((row) => row['date']!).reduce((day, other) => (other > day ? other : day))
  const first = addDays(last, 1 - WEEKS * 7)
  const rows = all.filter((row) => ['GB', 'IRE'].includes(row['region']!) && row['date']! >= first)
  return [...groupBy(rows, (row) => `${row['date']} ${row['course']} ${row['off']}`).values()]
}

/** A finishing time such as `1:10.91`, later by some seconds; as it is if it is none. */
function later(time: string, seconds: number): string {
  const [, minutes, rest] = /^(\d+):([\d.]+)$/.exec(time) ?? []
  if (rest === undefined) return time
  const total = Number(minutes) * 60 + Number(rest) + seconds
  return `${Math.floor(total / 60)}:${(total % 60).toFixed(2).padStart(5, '0')}`
}

/**
 * A season of `RACES` races or a few more: the file's days again and again, each time later, with the horses of a race in
 * another order and other times, since an import rejects a race that is there on another day.
 */
function seasonOf(races: readonly Row[][]): { rows: Row[]; count: number } {
  const random = seededRandom(1)
  const rows: Row[] = []
  let count = 0
  for (let round = 0; count < RACES; round += 1)
    for (const race of races) {
      const horses = round === 0 ? race : shuffled(race, random)
      rows.push(
        ...race.map((row, at) => ({
          ...row,
          ...Object.fromEntries(OF_HORSE.map((name) => [name, horses[at]![name]!])),
          date: addDays(row['date']!, round * WEEKS * 7),
          time: later(row['time']!, round * 0.07),
        })),
      )
      count += 1
    }
  return { rows, count }
}

const cell = (text: string): string => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** Imports a season into an empty folder, by the command that operators use. */
export async function benchSeason(file: string): Promise<SeasonReport> {
  const folder = mkdtempSync(join(tmpdir(), 'furlong-season-'))
  try {
    const { rows, count } = seasonOf(await racesOf(file))
    const names = Object.keys(rows[0]!)
    const lines = [names, ...rows.map((row) => names.map((name) => row[name]!))]
    const csv = join(folder, 'results.csv')
    writeFileSync(csv, `${lines.map((line) => line.map(cell).join(',')).join('\n')}\n`)
    const started = performance.now()
    const child = spawn(process.execPath, [...COMMAND, 'import', '--replace-demo', csv], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, FURLONG_DATA: join(folder, 'data'), DATABASE_URL: '' },
    })
    let megabytes = 0
    const watching = setInterval(() => {
      megabytes = Math.max(megabytes, residentMegabytes(child.pid!))
    }, WATCH_MS)
    const [status] = await once(child, 'exit')
    clearInterval(watching)
    if (status !== 0) throw new Error(`the import ended with ${status}`)
    return { races: count, rows: rows.length, seconds: (performance.now() - started) / 1000, megabytes }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
