import { csv } from './import-files.ts'

/** Invented files of our own layout. */
const COLUMNS = {
  stadium: 'HKSHT',
  date: '2026-03-08',
  race_no: '1',
  race_status: 'final',
  starts_at_utc: '2026-03-08T05:00Z',
  race_name_en: 'Paper Handicap',
  track: 'turf',
  distance_m: '1200',
  horse_no: '',
  brand: '',
  horse_name_en: '',
  jockey: '',
  draw: '',
  silks: '',
  status: 'finished',
  place: '',
  dead_heat: '',
  win_odds: '',
  finish_time: '',
}
export type RunnerCells = Partial<Record<keyof typeof COLUMNS, string>>

/** A cell, in quotes if it needs them. */
const quoted = (cell: string): string => (/[",]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

/** Horse `no` finishes in the place of its number. */
export const furlongRow = (no: number, cells: RunnerCells = {}): string => {
  const usual = {
    horse_no: `${no}`,
    brand: `P${cells.race_no ?? 1}0${no}`,
    horse_name_en: `Paper ${no}`,
    draw: `${no}`,
    place: `${no}`,
    win_odds: `${no + 1}.5`,
    finish_time: `1:${9 + Number(cells.race_no ?? 1)}.${no}0`,
  }
  return Object.values({ ...COLUMNS, ...usual, ...cells })
    .map(quoted)
    .join(',')
}

/** `runners.csv` of these rows. */
export const runnersCsv = (...rows: string[]): string => csv(Object.keys(COLUMNS).join(','), ...rows)

/** Five finishers in the order of their numbers. */
export const furlongRace = (cells: RunnerCells = {}): string[] =>
  [1, 2, 3, 4, 5].map((no) => furlongRow(no, cells))

/** `dividends.csv` of lines such as `1,2,paid,15.00`: class, combination, status, dividend. */
export const dividendsCsv = (...lines: string[]): string =>
  csv(
    'stadium,date,race_no,gameplay_class,combination,status,dividend',
    ...lines.map((line) => `HKSHT,2026-03-08,1,${line}`),
  )

/** `odds.csv` of instants, each with odds of horse 1. */
export const oddsCsv = (...instants: string[]): string =>
  csv(
    'stadium,date,race_no,horse_no,seen_at_utc,win_odds',
    ...instants.map((instant, index) => `HKSHT,2026-03-08,1,1,${quoted(instant)},${index + 2}.5`),
  )
