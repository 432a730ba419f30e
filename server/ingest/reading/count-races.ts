import type { RaceField } from '../../drafts/race-field.ts'
import { readRows, type CsvFile, type CsvRow } from './csv-file.ts'
import { nullOnRowError, RowError, type FileKind, type StoredRaces } from './format.ts'

interface CountedRunner {
  brand: string
  number: number
}

interface Counted {
  /** With their numbers, which are counted when all files are read, as that of the race is. */
  runners: Map<string, CountedRunner>
  ran: number | null
  raceNo: number
  areByName: boolean
}

/** The counted numbers of a row; `runnerNo` is `null` where the runners of the layout have their own. */
export interface CountedNumbers {
  raceNo: number
  runnerNo: number | null
  /** Whether the numbers of the race's runners are ours, as far as its rows have none. */
  areByName: boolean
}

interface Meeting {
  /** By the times of their offs. */
  races: Map<string, Counted>
  /** Rows of the wrong number of cells, with the time that they seem to have. */
  torn: { time: string | null; at: string }[]
  /** A row that may be of one more race, so that no race of the meeting has a certain number; `null` if there is none. */
  doubt: string | null
  /** The ids of its races, by their numbers, if their runners are counted. */
  idOf: ((raceNo: number) => string) | null
}

/**
 * Numbers runners in the order of their keys. Those of the stored race keep their numbers, and the others have those that are left;
 * if it has none of the runners, it is another race. Returns whether the numbers are ours: those of a stored race may be of its
 * racecard.
 */
function numberRunners(
  runners: ReadonlyMap<string, CountedRunner>,
  { numbersByName, runners: stored }: Pick<RaceField, 'numbersByName' | 'runners'>,
): boolean {
  const brands = new Set([...runners.values()].map(({ brand }) => brand))
  const known = stored.some(({ brand }) => brands.has(brand)) ? stored : []
  const kept = new Map(known.map(({ brand, horseNo }) => [brand, horseNo]))
  const used = new Set(kept.values())
  let next = 1
  const inOrder = [...runners].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, runner]) => runner)
  for (const runner of inOrder) {
    while (used.has(next)) next += 1
    runner.number = kept.get(runner.brand) ?? next
    used.add(runner.number)
  }
  // Those of imports before this was stored are in the order of the names too.
  return (
    numbersByName ||
    inOrder.some(({ brand }) => !kept.has(brand)) ||
    inOrder.every(({ number }, index) => number === index + 1)
  )
}

const NOT_STORED = { numbersByName: false, runners: [] }

/** The meetings of all files. */
class Meetings {
  private readonly byKey = new Map<string, Meeting>()

  at(key: string): Meeting {
    const meeting = this.byKey.get(key) ?? {
      races: new Map<string, Counted>(),
      torn: [],
      doubt: null,
      idOf: null,
    }
    this.byKey.set(key, meeting)
    return meeting
  }

  async number(stored: StoredRaces): Promise<void> {
    const byId = new Map<string, Counted>()
    for (const meeting of this.byKey.values()) {
      const { races, torn, idOf } = meeting
      for (const [index, time] of [...races.keys()].toSorted().entries()) {
        const race = races.get(time)!
        race.raceNo = index + 1
        // A race with a number that none can have is told where its rows are read.
        const id = nullOnRowError(() => idOf?.(race.raceNo) ?? null)
        if (id !== null) byId.set(id, race)
      }
      const odd = torn.find(({ time }) => time === null || !races.has(time))
      if (odd !== undefined) meeting.doubt ??= odd.at
    }
    const fields = await stored.fieldsOf([...byId.keys()].filter((id) => stored.hasRace(id)))
    for (const [id, race] of byId) race.areByName = numberRunners(race.runners, fields.get(id) ?? NOT_STORED)
  }
}

type Counts = NonNullable<FileKind['counts']>

/** The meeting of a row: `null` if the row is of none, `undefined` if it cannot be read. */
function meetingOf(counts: Counts, row: CsvRow, isWhole: boolean): string | null | undefined {
  try {
    return counts.meetingOf(row)
  } catch (error) {
    if (!(error instanceof RowError)) throw error
    // No race at a course that is not known has a number here.
    return isWhole && error.kind === 'unknown-venue' ? null : undefined
  }
}

function addRunner({ races }: Meeting, time: string, counts: Counts, row: CsvRow): void {
  const told = nullOnRowError(() => ({
    ...counts.runnerOf(row),
    brand: counts.numbersRunners?.brandOf(row) ?? '',
  }))
  const race = races.get(time) ?? {
    runners: new Map<string, CountedRunner>(),
    ran: null,
    raceNo: 0,
    areByName: false,
  }
  races.set(time, race)
  race.ran ??= told?.ran ?? null
  if (told !== null) race.runners.set(told.runner, { brand: told.brand, number: 0 })
}

/** Adds the races of a file. A row of which the meeting cannot be read may be of that of the row before it or behind it. */
async function addRaces(meetings: Meetings, file: CsvFile, counts: Counts): Promise<void> {
  let last: Meeting | null = null
  let lost: string | null = null
  const add = (row: CsvRow, line: number, isWhole: boolean): void => {
    const at = `${file.name}:${line}`
    const key = meetingOf(counts, row, isWhole)
    if (key === undefined) {
      if (last !== null) last.doubt ??= at
      lost = at
      return
    }
    last = key === null ? null : meetings.at(key)
    if (last !== null) last.doubt ??= lost
    lost = null
    if (last === null || key === null) return
    const { numbersRunners } = counts
    if (numbersRunners !== undefined) last.idOf ??= (raceNo) => numbersRunners.raceIdOf(key, raceNo)
    const time = nullOnRowError(() => counts.timeOf(row))
    if (!isWhole) last.torn.push({ time, at })
    else if (time === null) last.doubt ??= at
    else addRunner(last, time, counts, row)
  }
  for await (const { row, line } of readRows(file, (at, _, torn) => add(torn, at, false)))
    add(row, line, true)
}

/**
 * Reads the files whose races have no numbers, and numbers the races of each meeting by the times of their offs, and their
 * runners if they have no numbers either. The numbers of a row; `null` for a row of which nothing is needed, or whose kind has
 * numbers. Throws `runners-missing` for a row of a race of which the files have fewer runners than ran: without them it would be
 * settled as another race; `race-number-uncertain` for a row of a meeting of which a row cannot be read, and may be of one more race.
 */
export async function countRaces(
  files: readonly { file: CsvFile; kind: FileKind }[],
  stored: StoredRaces,
): Promise<(kind: FileKind, row: CsvRow) => CountedNumbers | null> {
  const meetings = new Meetings()
  for (const { file, kind } of files)
    if (kind.counts !== undefined) await addRaces(meetings, file, kind.counts)
  await meetings.number(stored)
  return ({ counts }, row) => {
    const key = counts?.meetingOf(row) ?? null
    if (counts === undefined || key === null) return null
    const time = counts.timeOf(row)
    const { races, doubt } = meetings.at(key)
    const race = races.get(time)
    if (doubt !== null || race === undefined)
      throw new RowError('race-number-uncertain', `${key} ${time}: ${doubt} may be of another race`)
    const { runners, ran, raceNo, areByName } = race
    if (ran !== null && runners.size < ran) {
      // Of a runner that is missing because it cannot be read, the reason is told.
      counts.runnerOf(row)
      throw new RowError('runners-missing', `${key} ${time}: ${runners.size} of ${ran}`)
    }
    if (counts.numbersRunners === undefined) return { raceNo, runnerNo: null, areByName }
    // Of a row whose runner cannot be read, the reason is told where it is read.
    const told = nullOnRowError(() => counts.runnerOf(row))
    return { raceNo, runnerNo: told === null ? null : runners.get(told.runner)!.number, areByName }
  }
}
