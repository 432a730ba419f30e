/** Purpose of a column in the user's own file. */
export const OWN_ROLES = ['raceId', 'number', 'date', 'racecourse', 'raceNo', 'horse', 'probability'] as const
export type OwnRole = (typeof OWN_ROLES)[number]
/** Column of each role, by its index in the file. */
export type OwnRoles = Partial<Record<OwnRole, number>>
export type OwnKind = 'number' | 'date' | 'text'

/** Names commonly used for columns of ratings files, compared without case, spaces and punctuation. */
const NAMES: Readonly<Record<OwnRole, readonly string[]>> = {
  raceId: ['raceid', 'race_id', '賽事編號', '赛事编号'],
  number: [
    'number',
    'no',
    'horseno',
    'horsenumber',
    'saddle',
    'saddleno',
    'saddlenumber',
    'saddlecloth',
    'runner',
    'runnerno',
    'cloth',
    'programnumber',
    'tabno',
    '馬號',
    '马号',
    '號碼',
    '号码',
  ],
  date: ['date', 'racedate', 'day', 'raceday', 'meetingdate', '日期', '賽期', '赛期', '賽日', '赛日'],
  racecourse: [
    'racecourse',
    'course',
    'venue',
    'track',
    'stadium',
    'meeting',
    'stadiumid',
    '馬場',
    '马场',
    '場地',
  ],
  raceNo: ['raceno', 'racenumber', 'race', 'racenum', 'r', '場次', '场次'],
  horse: ['horse', 'horsename', 'name', 'runnername', 'brand', '馬名', '马名', '馬匹', '马匹'],
  probability: [
    'probability',
    'prob',
    'p',
    'chance',
    'winprobability',
    'winprob',
    'winchance',
    'pwin',
    'myprob',
    'rating%',
    '勝率',
    '胜率',
    '概率',
    '勝算',
    '胜算',
  ],
}

const plain = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}%]/gu, '')

/** Guesses the column of each role from its name; a column has at most one role. */
export function guessRoles(names: readonly string[]): OwnRoles {
  const roles: OwnRoles = {}
  const taken = new Set<number>()
  for (const role of OWN_ROLES) {
    const known = NAMES[role].map(plain)
    const places = names.flatMap((name, at) =>
      known.includes(plain(name)) && !taken.has(at) ? [{ at, rank: known.indexOf(plain(name)) }] : [],
    )
    const [best] = places.toSorted((a, b) => a.rank - b.rank)
    if (!best) continue
    roles[role] = best.at
    taken.add(best.at)
  }
  return roles
}

/**
 * Whether the roles identify a starter: by race id, or by day and race number, with a
 * saddle number or a name.
 */
export const hasKeys = ({ raceId, number, date, raceNo, horse }: OwnRoles): boolean =>
  (raceId !== undefined || (date !== undefined && raceNo !== undefined)) &&
  (number !== undefined || horse !== undefined)

/**
 * Column names for an SQL table: letters, digits and underscores of any script, each
 * unique and not among `taken`.
 */
export function columnNames(names: readonly string[], taken: readonly string[]): string[] {
  const used = new Set(taken)
  return names.map((name) => {
    const base =
      name
        .trim()
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}]+/gu, '_')
        .replaceAll(/^_+|_+$/g, '') || 'column'
    let unique = base
    for (let next = 2; used.has(unique); next += 1) unique = `${base}_${next}`
    used.add(unique)
    return unique
  })
}

/**
 * Date formats: the first one that nearly all cells of a sample match is used. Day
 * before month where both match.
 */
const DATE_FORMS = [
  { form: '%Y-%m-%d', pattern: /^\d{4}-\d{1,2}-\d{1,2}$/ },
  { form: '%Y/%m/%d', pattern: /^\d{4}\/\d{1,2}\/\d{1,2}$/ },
  { form: '%Y.%m.%d', pattern: /^\d{4}\.\d{1,2}\.\d{1,2}$/ },
  { form: '%Y%m%d', pattern: /^(19|20)\d{2}(0[1-9]|1[0-2])([0-2]\d|3[01])$/ },
  { form: '%d/%m/%Y', pattern: /^([0-2]?\d|3[01])\/(0?\d|1[0-2])\/\d{4}$/ },
  { form: '%m/%d/%Y', pattern: /^(0?\d|1[0-2])\/([0-2]?\d|3[01])\/\d{4}$/ },
  { form: '%d.%m.%Y', pattern: /^([0-2]?\d|3[01])\.(0?\d|1[0-2])\.\d{4}$/ },
  { form: '%d-%m-%Y', pattern: /^([0-2]?\d|3[01])-(0?\d|1[0-2])-\d{4}$/ },
  { form: '%Y年%m月%d日', pattern: /^\d{4}年\d{1,2}月\d{1,2}日$/ },
] as const

/** Cells that represent a missing value. */
const NOTHING = /^(|-|–|—|n\/?a|nan|null|none)$/i
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?%?$/i
const COMMA_NUMBER = /^[+-]?\d+(,\d+)?%?$/

export interface GuessedKind {
  kind: OwnKind
  /** Format of a date. */
  form?: string
  /** The numbers use a comma as decimal point. */
  comma?: boolean
  /** The numbers are percentages. */
  percent?: boolean
}

/**
 * Guesses the type of a column from a sample: date or number if 95% of the cells match. A comma is a decimal
 * point only where it is not the column separator.
 */
export function guessKind(sample: readonly string[], commaSeparates: boolean): GuessedKind {
  const cells = sample.map((cell) => cell.trim()).filter((cell) => !NOTHING.test(cell))
  const most = (pattern: RegExp): boolean =>
    cells.length > 0 && cells.filter((cell) => pattern.test(cell)).length >= cells.length * 0.95
  const date = DATE_FORMS.find(({ pattern }) => most(pattern))
  if (date) return { kind: 'date', form: date.form }
  const percent = cells.some((cell) => cell.endsWith('%'))
  if (most(NUMBER)) return { kind: 'number', percent }
  if (!commaSeparates && most(COMMA_NUMBER)) return { kind: 'number', comma: true, percent }
  return { kind: 'text' }
}

/**
 * The type with which a column that is not of a wanted type is searched for wrong cells: of dates, the format of
 * most cells of a sample.
 */
export function nearestKind(
  sample: readonly string[],
  wanted: Exclude<OwnKind, 'text'>,
  commaSeparates: boolean,
): GuessedKind {
  if (wanted === 'number') return { kind: 'number', percent: true, comma: !commaSeparates }
  const counted = DATE_FORMS.map(({ form, pattern }) => ({
    form,
    cells: sample.filter((cell) => pattern.test(cell.trim())).length,
  }))
  const [most] = counted.toSorted((a, b) => b.cells - a.cells)
  return { kind: 'date', form: most!.form }
}
