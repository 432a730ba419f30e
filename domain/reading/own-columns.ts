import { cleanText } from './clean-text.ts'

/** Purpose of a column in the user's own file. */
export const OWN_ROLES = ['raceId', 'number', 'date', 'racecourse', 'raceNo', 'horse', 'probability'] as const
export type OwnRole = (typeof OWN_ROLES)[number]
/** Column of each role, by its index in the file. */
export type OwnRoles = Partial<Record<OwnRole, number>>

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

const plain = (name: string): string =>
  cleanText(name)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}%]/gu, '')

/**
 * Guesses the column of each role from its name, by the names that each role commonly has, the best first. A column has at
 * most one role: of two, that which comes first.
 */
export function guessByName<Role extends string>(
  names: readonly string[],
  common: Readonly<Record<Role, readonly string[]>>,
): Partial<Record<Role, number>> {
  const roles: Partial<Record<Role, number>> = {}
  const taken = new Set<number>()
  for (const role of Object.keys(common) as Role[]) {
    const known = common[role].map(plain)
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

export const guessRoles = (names: readonly string[]): OwnRoles => guessByName(names, NAMES)

/**
 * Whether the roles identify a starter: by race id, or by day and race number or horse, with a saddle number or a
 * horse.
 */
export const hasKeys = ({ raceId, number, date, raceNo, horse }: OwnRoles): boolean =>
  (raceId !== undefined || (date !== undefined && (raceNo !== undefined || horse !== undefined))) &&
  (number !== undefined || horse !== undefined)

/** Names that programs give to columns that count the rows. */
const COUNTER_NAME = /^(?:unnamed:? ?\d+|index|level ?\d+|row|row ?(?:no|number|id))?$/i

/** Whether a column with this name counts the rows, if its cells do. */
export const isCounterName = (name: string): boolean =>
  COUNTER_NAME.test(cleanText(name.replaceAll('_', ' ')))

/**
 * The names of a header with those that are equal but for case and blanks numbered: `pay`, `pay 2`, and `column 3` for
 * a third one without a name.
 */
export function distinctNames(names: readonly string[]): string[] {
  const used = new Set<string>()
  return names.map((name, at) => {
    const base = cleanText(name) || `column ${at + 1}`
    let unique = base
    for (let next = 2; used.has(unique.toLowerCase()); next += 1) unique = `${base} ${next}`
    used.add(unique.toLowerCase())
    return unique
  })
}

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
