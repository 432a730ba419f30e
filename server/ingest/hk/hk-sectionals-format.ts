import { HONG_KONG } from '../../../domain/region.ts'
import type { SectionDraft } from '../../drafts/drafts.ts'
import { integer, lenientCells, required, wordIn } from '../reading/cells.ts'
import type { CsvRow } from '../reading/csv-file.ts'
import { allBut } from '../reading/facts.ts'
import { RowError, type Draft, type ImportFormat, type Note } from '../reading/format.ts'
import { raceKeyOf } from './hk-cells.ts'
import { ENGLISH, ENGLISH_MARGINS } from './words.ts'

const MOST_SECTIONS = 6

const marginOf = (cell: string | null): string | null =>
  cell === null ? null : (wordIn(ENGLISH_MARGINS, cell) ?? cell)

/** One row has all sections of a runner; after the last section of its race its columns are blank. */
function readSections(row: CsvRow, note: Note): Draft {
  const { id: raceId } = raceKeyOf(ENGLISH, row, { venue: 'racecourse', date: 'date' })
  const horseNo = integer(row, 'horse_no', 1, 99)
  if (horseNo === null) throw new RowError('missing-field', 'horse_no')
  const { words, whole, time } = lenientCells(row, note)
  const sections = Array.from({ length: MOST_SECTIONS }, (_, index): SectionDraft => {
    const prefix = `sec${index + 1}`
    return {
      sectionNo: index + 1,
      position: whole(`${prefix}_position`, 1, 99),
      margin: marginOf(words(`${prefix}_margin`)),
      timeMs: time(`${prefix}_time`),
    }
  })
  const count = 1 + sections.findLastIndex((each) => (each.position ?? each.margin ?? each.timeMs) !== null)
  if (count === 0) throw new RowError('no-section', `${raceId} ${horseNo}`)
  const known = sections.slice(0, count)
  for (const { sectionNo } of known.filter(({ timeMs }) => timeMs === null))
    note('section-time-missing', `${raceId} ${horseNo}: section ${sectionNo}`)
  const brand = required(row, 'brand')
  return {
    kind: 'sections',
    runner: { raceId, horseNo, brand, finishTimeMs: time('finish_time'), sections: known },
  }
}

/**
 * Official sections of Hong Kong's runners as one table of CSV: positions, margins and times at the end of up to six
 * sections. Times of 200 m within a section are not read.
 */
export const HK_SECTIONALS_FORMAT: ImportFormat = {
  name: 'hk-sectionals',
  encoding: 'utf8',
  region: HONG_KONG,
  lacks: allBut('sections'),
  tolerated: [],
  stadiums: [],
  kinds: [
    {
      name: 'sectionals',
      order: 6,
      columns: [
        'date',
        'racecourse',
        'race_no',
        'horse_no',
        'brand',
        'finish_time',
        'sec1_position',
        'sec1_margin',
        'sec1_time',
      ],
      read: readSections,
    },
  ],
}
