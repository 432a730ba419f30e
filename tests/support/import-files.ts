import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ImportFormat } from '../../server/ingest/reading/format.ts'
import { importFiles } from '../../server/ingest/import.ts'
import type { ImportReport } from '../../server/drafts/report.ts'
import { newDatabase, newFolder, type TestDatabase } from './databases.ts'

export const HK_HEADER =
  'date,venue,race_no,race_meeting_no,race_name,race_class,distance_m,rating_range,going,course,prize_hkd,race_finish_time,sectional_times_header,place,horse_no,horse_name,jockey,trainer,actual_wt_lbs,declared_wt_lbs,draw,lbw,running_position,finish_time,win_odds'
export const DIVIDEND_HEADER = 'date,venue,race_no,pool,combination,dividend_hkd'

export interface Field {
  date?: string
  raceNo?: number
  place?: string
  going?: string
  draw?: string
  weight?: string
  odds?: string
  jockey?: string
}

/** A runner of an invented race; horse `no` is Z90`no`. */
export const hkRow = (no: number, field: Field = {}): string => {
  const { date = '2019-03-06', raceNo = 1, place = String(no), going = '好地', draw = String(no) } = field
  const { weight = '120', odds = String(2 + no), jockey = '試騎師' } = field
  return `${date},沙田,${raceNo},1,試驗,第四班,1200,60-40,${going},全天候跑道,600000,(1:10.00),1,${place},${no},試馬${no} (Z90${no}),${jockey},試練馬師,${weight},1100,${draw},1,1 1,1:1${no}.00,${odds}`
}
export const hkRace = (field: Field = {}): string[] => [1, 2, 3, 4, 5].map((no) => hkRow(no, field))

/** Writes files into a new folder, and returns it. */
export function writeFiles(files: Record<string, string | Buffer>): string {
  const folder = newFolder()
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
  return folder
}

export const importAs = (
  place: TestDatabase,
  format: ImportFormat,
  files: Record<string, string | Buffer>,
): Promise<ImportReport> =>
  importFiles(place.database, { format, paths: [writeFiles(files)], replaceDemonstration: false })

export const csv = (header: string, ...rows: string[]): string => `${[header, ...rows].join('\n')}\n`
export const rejectLines = (list: ImportReport['rejects']): string[] =>
  list.map(({ kind, file, line }) => `${file}:${line} ${kind}`)

export async function withDatabase(work: (place: TestDatabase) => Promise<void>): Promise<void> {
  const place = await newDatabase('postgresql')
  try {
    await work(place)
  } finally {
    await place.close()
  }
}

const WRITTEN = ['race', 'runner', 'horse', 'jockey', 'trainer', 'dividend', 'section']

/** Every row that an import of results writes. */
export const storedRows = ({ database }: TestDatabase): Promise<unknown[]> =>
  Promise.all(WRITTEN.map((table) => database.rows(`select t::text from ${table} t order by 1`)))

/** Rows that an import has inserted or changed. */
export const changesOf = ({ tables }: ImportReport): number =>
  Object.values(tables).reduce((sum, { inserted, updated }) => sum + inserted + updated, 0)

interface StoredRunner {
  horseNo: number | null
  horseId: string
  status: string
  place: number | null
  placeCode: string | null
  deadHeat: boolean
  margin: string | null
  winOdds: number | null
  finishTimeMs: number | null
}

export const storedRunners = ({ database }: TestDatabase): Promise<StoredRunner[]> =>
  database.rows(
    `select race_id, horse_no, horse_id, runner.status, place, place_code, dead_heat, margin, win_odds, finish_time_ms,
       running_position, jockey_id from runner order by 1, 2, 3`,
  )
