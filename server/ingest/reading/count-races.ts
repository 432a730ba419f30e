import { readRows, type CsvFile, type CsvRow } from './csv-file.ts'
import { nullOnRowError, RowError, type FileKind, type Off } from './format.ts'

interface Counted {
  runners: Set<string>
  ran: number | null
  /** Counted when all files are read. */
  raceNo: number
}

/** The races of a meeting by the times of their offs. */
type Meeting = Map<string, Counted>

function add(meetings: Map<string, Meeting>, { meeting, time, runner, ran }: Off): void {
  const races: Meeting = meetings.get(meeting) ?? new Map<string, Counted>()
  meetings.set(meeting, races)
  const race = races.get(time) ?? { runners: new Set<string>(), ran, raceNo: 0 }
  races.set(time, race)
  race.runners.add(runner)
}

/**
 * Reads the files whose races have no numbers, and numbers the races of each meeting by the times of their offs. The number of
 * a row's race; `null` for a row of which nothing is needed, or whose kind has numbers. Throws `runners-missing` for a row of a
 * race of which the files have fewer runners than ran: without them it would be settled as another race.
 */
export async function countRaces(
  files: readonly { file: CsvFile; kind: FileKind }[],
): Promise<(kind: FileKind, row: CsvRow) => number | null> {
  const meetings = new Map<string, Meeting>()
  for (const { file, kind } of files) {
    if (kind.offOf === undefined) continue
    for await (const { row } of readRows(file)) {
      const off = nullOnRowError(() => kind.offOf!(row))
      if (off !== null) add(meetings, off)
    }
  }
  for (const races of meetings.values())
    for (const [index, time] of [...races.keys()].toSorted().entries()) races.get(time)!.raceNo = index + 1
  return (kind, row) => {
    const off = kind.offOf?.(row) ?? null
    if (off === null) return null
    const { runners, ran, raceNo } = meetings.get(off.meeting)!.get(off.time)!
    if (ran !== null && runners.size < ran)
      throw new RowError('runners-missing', `${off.meeting} ${off.time}: ${runners.size} of ${ran}`)
    return raceNo
  }
}
