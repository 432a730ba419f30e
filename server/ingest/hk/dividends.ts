import {
  combinationText,
  DOUBLE,
  doubleText,
  gameplayOf,
  type GameplayClass,
} from '../../../domain/gameplay.ts'
import { parseDividendCents } from '../../../domain/money.ts'
import { required, text } from '../reading/cells.ts'
import type { CsvRow } from '../reading/csv-file.ts'
import { RowError, type Draft, type FileKind } from '../reading/format.ts'
import { raceKeyOf } from './results.ts'
import { POOLS } from './words.ts'

/** Published without a figure: not won, or "see details". */
const NO_FIGURE = new Set(['未能勝出', '詳情'])

/** The doubles of a meeting are numbered: 第一口孖寶, the first double, is on its first two races. */
const NUMBERED_DOUBLE = /^第.{1,2}口孖寶$/

function readDividend(row: CsvRow): Draft {
  const { id } = raceKeyOf(row)
  const pool = required(row, 'pool')
  const cell = required(row, 'dividend_hkd')
  const written = text(row, 'combination') ?? ''
  const gameplayClass = POOLS[pool] ?? null
  const isDouble = NUMBERED_DOUBLE.test(pool)
  const line = {
    raceId: id,
    pool: isDouble ? DOUBLE.key : gameplayClass === null ? pool : gameplayOf(gameplayClass).key,
    gameplayClass: isDouble ? DOUBLE.class : gameplayClass,
    combination: written,
  }
  if (cell === '退款' && written === '') return dividend({ ...line, status: 'refund', dividendCents: null })
  if (gameplayClass !== null || isDouble) {
    const combination = gameplayClass === null ? doubleText(written) : horsesOf(gameplayClass, written)
    if (combination === null) throw new RowError('bad-combination', `${pool}: ${written}`)
    line.combination = combination
  }
  if (cell === '退款') return dividend({ ...line, status: 'refund', dividendCents: null })
  if (NO_FIGURE.has(cell)) return dividend({ ...line, status: 'unknown', dividendCents: null })
  try {
    return dividend({ ...line, status: 'paid', dividendCents: parseDividendCents(cell) })
  } catch {
    throw new RowError('bad-dividend', `${pool}: ${cell}`)
  }
}

/** A combination of the horses that a pool's dividend names; `null` if there are too few, too many or none. */
function horsesOf(gameplayClass: GameplayClass, written: string): string | null {
  const horses = written.split(',').map(Number)
  const isWhole = horses.length === gameplayOf(gameplayClass).size && horses.every((no) => no > 0)
  return isWhole ? combinationText(gameplayClass, horses) : null
}

const dividend = (line: Extract<Draft, { kind: 'dividend' }>['dividend']): Draft => ({
  kind: 'dividend',
  dividend: line,
})

export const HK_DIVIDENDS: FileKind = {
  name: 'dividends',
  order: 4,
  columns: ['date', 'venue', 'race_no', 'pool', 'combination', 'dividend_hkd'],
  read: readDividend,
}
