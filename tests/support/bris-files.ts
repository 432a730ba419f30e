/** Files of invented races in the layout of BRIS' charts, which have no header. */

type Cells = Readonly<Record<number, string | number>>

/** A line of `count` cells, of which some, by their numbers from 1, are not blank; texts are quoted. */
function line(count: number, cells: Cells): string {
  return Array.from({ length: count }, (_, index) => {
    const cell = cells[index + 1] ?? ''
    return typeof cell === 'number' ? cell.toFixed(Number.isInteger(cell) ? 0 : 2) : `"${cell}"`
  }).join(',')
}

const START: Cells = { 1: 'BEL', 2: '20180929', 3: 1, 4: 'D' }

export const brisRace = (cells: Cells = {}): string =>
  line(99, {
    ...START,
    5: 1320,
    6: 'Y',
    8: 'D',
    9: 'D',
    13: 'S',
    14: 'MSW',
    19: 'MSW62000',
    22: 62000,
    30: 'FOR MAIDENS, THREE YEARS OLD. Weight, 122 lbs. (Non-star',
    31: 'ters preferred).',
    37: 5,
    38: 'FT',
    44: 70.33,
    50: '00104',
    55: '',
    63: 'Clear',
    ...cells,
  })

/** The horse with a number of the program, which finishes in the place of `no` unless `cells` say otherwise. */
export const brisRunner = (no: number, program: string, cells: Cells = {}): string =>
  line(99, {
    ...START,
    5: `Trial Horse ${no}`,
    7: 'NY',
    8: no + 1,
    9: program,
    10: 2015,
    13: `SHORT ${no}                                 `,
    14: 'Rider, Jr.',
    15: 'Trial',
    16: `${no}.`,
    19: 'Trainer',
    20: 'Trial',
    31: no + 1.5,
    33: 0,
    38: 120,
    55: 3,
    56: 2,
    57: 2,
    58: 0,
    59: 2,
    60: no,
    61: no,
    73: no - 1,
    ...cells,
  })

export const brisScratched = (no: number, cells: Cells = {}): string =>
  brisRunner(no, 'SCR', { 8: 99, 31: 0, 55: 0, 56: 0, 57: 0, 59: 0, 60: 0, 61: 0, 73: 0, ...cells })

export const brisMutuel = (
  program: string,
  pays: readonly (string | number)[],
  cells: Cells = {},
): string => {
  const [win = '', place = '', show = ''] = pays
  return line(25, { ...START, 5: 'Trial Horse', 8: program, 9: win, 10: place, 11: show, ...cells })
}

export const brisExotic = (
  wager: string,
  [stake, pay]: readonly [number, number],
  numbers: string,
  cells: Cells = {},
): string => line(25, { ...START, 5: wager, 6: stake, 7: pay, 8: 0, 9: numbers, 10: 1234.5, ...cells })

export const brisWinner = (no: number, cells: Cells = {}): string =>
  line(25, { ...START, 5: `Trial Horse ${no}`, 14: 'A Sire', 15: 'A Dam', 16: 'Her Sire', ...cells })

const DAY = 'BEL09292018'

/** The files of a day by the numbers that their names end with. */
export const brisFiles = (
  files: Readonly<Record<number, readonly string[]>>,
  day = DAY,
): Record<string, Buffer> =>
  Object.fromEntries(
    Object.entries(files).map(([kind, lines]) => [
      `${day}.${kind}`,
      Buffer.from(lines.map((each) => `${each}\n`).join(''), 'latin1'),
    ]),
  )
