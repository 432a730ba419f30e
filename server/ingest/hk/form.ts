import { calendarDay, integer, odds, raceTimeMs, required, text } from '../cells.ts'
import type { CsvRow } from '../csv-file.ts'
import { RowError, type Draft, type FileKind } from '../format.ts'
import { SHORT_GOINGS, VENUES, formClass } from './words.ts'

/** `01/01/2019` in most rows, `01/07/25` in the others. */
function formDay(cell: string): string {
  const match = /^(\d{2})\/(\d{2})\/(\d{2}|\d{4})$/.exec(cell)
  if (!match) throw new RowError('bad-date', cell)
  const year = Number(match[3])
  return calendarDay(year < 100 ? 2000 + year : year, Number(match[2]), Number(match[1]))
}

function readForm(row: CsvRow): Draft {
  const racecourse = required(row, 'racecourse')
  const awt = racecourse.endsWith('全天候')
  const stadiumId = VENUES[racecourse]
  if (stadiumId === undefined) throw new RowError('unknown-venue', racecourse)
  const raceIndex = integer(row, 'race_index')
  if (raceIndex === null) throw new RowError('missing-field', 'race_index')
  const going = SHORT_GOINGS[text(row, 'going') ?? ''] ?? null
  return {
    kind: 'form',
    form: {
      brand: required(row, 'horse_no'),
      date: formDay(required(row, 'date')),
      raceIndex,
      stadiumId,
      placeCode: required(row, 'place'),
      track: awt ? 'awt' : 'turf',
      course: text(row, 'course'),
      distanceM: integer(row, 'distance_m'),
      going: awt && going === 'firm' ? 'awt_fast' : going,
      raceClass: formClass(text(row, 'race_class')),
      draw: integer(row, 'draw'),
      rating: integer(row, 'rating'),
      trainer: text(row, 'trainer'),
      jockey: text(row, 'jockey'),
      margin: text(row, 'lbw'),
      winOdds: odds(row, 'win_odds'),
      actualWeightLb: integer(row, 'actual_wt_lbs'),
      declaredWeightLb: integer(row, 'declared_wt_lbs'),
      runningPosition: text(row, 'running_position'),
      finishTimeMs: raceTimeMs(text(row, 'finish_time')),
      gear: text(row, 'gear'),
    },
  }
}

export const HK_FORM: FileKind = {
  name: 'form',
  order: 3,
  columns: ['horse_no', 'race_index', 'place', 'date', 'racecourse', 'rating', 'gear'],
  read: readForm,
}
