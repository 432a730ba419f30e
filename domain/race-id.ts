import { FurlongError } from './errors.ts'

/** A race's public identifier: 5-letter stadium code, `yyyymmdd`, 2-digit race number. */
export interface RaceIdParts {
  stadium: string
  /** Day of the race at its racecourse, `yyyy-mm-dd`. */
  date: string
  raceNo: number
}

const SHAPE = /^([A-Z]{5})(\d{4})(\d{2})(\d{2})(\d{2})$/
const DATE = /^\d{4}-\d{2}-\d{2}$/

/** Builds the 15 characters of a race id (`HKSHT2026112105`). Throws `bad-race-id` on parts out of range. */
export function makeRaceId({ stadium, date, raceNo }: RaceIdParts): string {
  const id = `${stadium}${date.replaceAll('-', '')}${String(raceNo).padStart(2, '0')}`
  if (!DATE.test(date) || !SHAPE.test(id) || raceNo < 1) {
    throw new FurlongError('bad-race-id', { value: `${stadium} ${date} ${raceNo}` })
  }
  return id
}

/** The parts of a race id. Throws `bad-race-id` if it is invalid. */
export function parseRaceId(raceId: string): RaceIdParts {
  const match = SHAPE.exec(raceId)
  if (!match) throw new FurlongError('bad-race-id', { value: raceId })
  const [, stadium = '', year, month, day, raceNo] = match
  return { stadium, date: `${year}-${month}-${day}`, raceNo: Number(raceNo) }
}

/** Of the meeting of a race: the race's id without its number, `HKSHT20261121`. */
export const meetingId = (raceId: string): string => raceId.slice(0, 13)

/** The race's day, from `raceId.slice(5, 13)` (decisions section 1), as `yyyy-mm-dd`. */
export function raceIdDate(raceId: string): string {
  const digits = raceId.slice(5, 13)
  return `${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6, 8)}`
}
