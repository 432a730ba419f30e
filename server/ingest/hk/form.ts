import { calendarDay, integer, lenient, odds, raceTimeMs, required, text } from '../reading/cells.ts'
import type { CsvRow } from '../reading/csv-file.ts'
import { RowError, type Draft, type FileKind, type Note } from '../reading/format.ts'
import { SHORT_GOINGS, VENUES, formClass } from './words.ts'

/** Most rows have `01/01/2019`, the others `01/07/25`. */
function formDay(cell: string): string {
  const match = /^(\d{2})\/(\d{2})\/(\d{2}|\d{4})$/.exec(cell)
  if (!match) throw new RowError('bad-date', cell)
  const year = Number(match[3])
  return calendarDay(year < 100 ? 2000 + year : year, Number(match[2]), Number(match[1]))
}

function readForm(row: CsvRow, note: Note): Draft {
  const racecourse = required(row, 'racecourse')
  const awt = racecourse.endsWith('全天候')
  const stadiumId = VENUES[racecourse]
  if (stadiumId === undefined) throw new RowError('unknown-venue', racecourse)
  const raceIndex = integer(row, 'race_index')
  if (raceIndex === null) throw new RowError('missing-field', 'race_index')
  const words = (column: string): string | null => lenient(note, () => text(row, column))
  const whole = (column: string): number | null => lenient(note, () => integer(row, column, 0, 9999))
  const going = SHORT_GOINGS[words('going') ?? ''] ?? null
  return {
    kind: 'form',
    form: {
      brand: required(row, 'horse_no'),
      date: formDay(required(row, 'date')),
      raceIndex,
      stadiumId,
      placeCode: required(row, 'place'),
      track: awt ? 'awt' : 'turf',
      course: words('course'),
      distanceM: whole('distance_m'),
      going: awt && going === 'firm' ? 'awt_fast' : going,
      raceClass: formClass(words('race_class')),
      draw: whole('draw'),
      rating: whole('rating'),
      trainer: words('trainer'),
      jockey: words('jockey'),
      margin: words('lbw'),
      winOdds: lenient(note, () => odds(row, 'win_odds')),
      actualWeightLb: whole('actual_wt_lbs'),
      declaredWeightLb: whole('declared_wt_lbs'),
      runningPosition: words('running_position'),
      finishTimeMs: raceTimeMs(words('finish_time')),
      gear: words('gear'),
    },
  }
}

export const HK_FORM: FileKind = {
  name: 'form',
  order: 3,
  columns: ['horse_no', 'race_index', 'place', 'date', 'racecourse', 'rating', 'gear'],
  read: readForm,
}
