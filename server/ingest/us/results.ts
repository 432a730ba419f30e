import { combinationText, gameplayOf, type GameplayClass } from '../../../domain/gameplay.ts'
import { makeRaceId } from '../../../domain/race-id.ts'
import { calendarDay, decimal, integer, required, text } from '../cells.ts'
import type { CsvRow } from '../csv-file.ts'
import { NO_NAMES, type DividendDraft, type RaceDraft } from '../drafts.ts'
import { RowError, type Draft, type FileKind } from '../format.ts'
import { GOINGS, SURFACES, TRACKS } from './words.ts'

const METRES_A_YARD = 0.9144
/** Pays are per US$2; dividends here are per 10. */
const UNITS = 5

function raceKeyOf(
  track: string,
  date: string,
  raceNo: number | null,
): Pick<RaceDraft, 'id' | 'stadiumId' | 'date' | 'raceNo'> {
  if (!(track in TRACKS)) throw new RowError('unknown-venue', track)
  if (raceNo === null || raceNo < 1 || raceNo > 99) throw new RowError('bad-race-number', String(raceNo))
  const stadiumId = `US${track}`
  return { id: makeRaceId({ stadium: stadiumId, date, raceNo }), stadiumId, date, raceNo }
}

/** `5/27/16`. */
function slashDay(cell: string): string {
  const match = /^(\d{1,2})\/(\d{1,2})\/(\d{2})$/.exec(cell)
  if (!match) throw new RowError('bad-date', cell)
  return calendarDay(2000 + Number(match[3]), Number(match[1]), Number(match[2]))
}

const payCents = (row: CsvRow, column: string): number =>
  Math.round((decimal(row, column) ?? 0) * 100 * UNITS)

function paid(
  raceId: string,
  gameplayClass: GameplayClass,
  horses: number[],
  cents: number,
): DividendDraft[] {
  if (cents <= 0) return []
  const combination = combinationText(gameplayClass, horses)
  const pool = gameplayOf(gameplayClass).key
  return [{ raceId, pool, gameplayClass, combination, status: 'paid', dividendCents: cents }]
}

const raceOf = (row: CsvRow) =>
  raceKeyOf(required(row, 'track'), slashDay(required(row, 'Date')), integer(row, 'RaceNum'))

function readRunner(row: CsvRow): Draft[] {
  const key = raceOf(row)
  const name = required(row, 'Name')
  const horseNo = integer(row, 'PP', 1, 99)
  const place = integer(row, 'FinishPosition', 1, 99)
  const toOne = decimal(row, 'Odds')
  const yards = decimal(row, 'DistYrds')
  const purse = decimal(row, 'Purse')
  const surface = required(row, 'surface')
  if (!(surface in SURFACES)) throw new RowError('unknown-course', surface)
  if (horseNo === null) throw new RowError('no-saddle-number', name)
  if (toOne === null || toOne <= 0) throw new RowError('odds-out-of-range', `${name}: ${toOne}`)
  const dividends = [
    ...paid(key.id, 1, [horseNo], payCents(row, '$2WinPay')),
    ...paid(key.id, 2, [horseNo], payCents(row, '$2PlacePay')),
  ]
  return [
    {
      kind: 'runner',
      race: {
        ...key,
        name: NO_NAMES,
        startsAt: null,
        raceClass: text(row, 'ClassDescriptor'),
        track: SURFACES[surface]!,
        course: null,
        distanceM: yards === null ? null : Math.round(yards * METRES_A_YARD),
        going: GOINGS[text(row, 'TrackCondition') ?? ''] ?? null,
        weather: null,
        ratingRange: null,
        prizeCents: purse === null ? null : Math.round(purse * 100),
        winningTimeMs: null,
        status: 'final',
      },
      runner: {
        brand: name,
        horse: { ...NO_NAMES, en: name },
        horseNo,
        jockey: null,
        trainer: null,
        draw: horseNo,
        actualWeightLb: integer(row, 'Weight'),
        declaredWeightLb: null,
        rating: null,
        gear: null,
        status: place === null ? 'unfinished' : 'finished',
        place,
        placeCode: null,
        deadHeat: false,
        margin: null,
        runningPosition: null,
        finishTimeMs: null,
        winOdds: toOne + 1,
      },
    },
    ...dividends.map((dividend): Draft => ({ kind: 'dividend', dividend })),
  ]
}

/** Exacta and quinella stand on every row of their race; whom they paid follows from the places. */
function pairDividends(race: RaceDraft, row: CsvRow): DividendDraft[] {
  const at = (place: number): number[] =>
    race.runners.flatMap((runner) =>
      runner.place === place && runner.horseNo !== null ? [runner.horseNo] : [],
    )
  const firsts = at(1)
  const seconds = at(2)
  // In a dead heat one printed pay belongs to one of several combinations, and the file does not say which.
  if (firsts.length !== 1 || seconds.length !== 1) return []
  const pair = [firsts[0]!, seconds[0]!]
  return [
    ...paid(race.id, 5, pair, payCents(row, 'ExactaPay')),
    ...paid(race.id, 3, pair, payCents(row, 'QuinellaPay')),
  ]
}

/** `05-27-2016<br>13:15`; descriptions end in thousands of blanks. */
function readRaceInfo(row: CsvRow): Draft {
  const match = /^(\d{2})-(\d{2})-(\d{4})<br>/.exec(required(row, 'date_time'))
  const raceNo = /^R(\d{1,2})$/.exec(required(row, 'race_number'))
  if (!match || !raceNo) throw new RowError('bad-date', required(row, 'date_time'))
  const date = calendarDay(Number(match[3]), Number(match[1]), Number(match[2]))
  const { id } = raceKeyOf(required(row, 'track'), date, Number(raceNo[1]))
  const words = text(row, 'race_description')?.replace(/\s+/g, ' ') ?? null
  return {
    kind: 'race-name',
    raceId: id,
    names: { ...NO_NAMES, en: words === null ? null : words.slice(0, 200) },
  }
}

export const US_RESULTS: FileKind = {
  name: 'results',
  order: 2,
  columns: ['Name', 'Odds', 'FinishPosition', '$2WinPay', 'track', 'RaceNum', 'Date', 'PP'],
  read: readRunner,
  raceOf: (row) => raceOf(row).id,
  dividendsOf: pairDividends,
}

export const US_RACE_INFO: FileKind = {
  name: 'race information',
  order: 3,
  columns: ['track', 'race_number', 'date_time', 'race_description'],
  read: readRaceInfo,
}
