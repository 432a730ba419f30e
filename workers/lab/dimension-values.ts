import { tableFromIPC } from 'apache-arrow'
import type { RowsPage } from '../../analytics/engine-api.ts'
import type { LabValue, ValuesOf } from '../../analytics/lab-api.ts'
import { FurlongError } from '../../domain/errors.ts'
import { remembered } from '../../domain/remembered.ts'
import type { BetIdentities } from './bet-columns.ts'

/** Columns of a page that are not of the dimension. */
const KEYS: ReadonlySet<string> = new Set(['race_id', 'horse_no'])

/** The rows that were loaded; races to make boxes in have no combinations. */
type LoadedRows = Pick<BetIdentities, 'raceIds'> & Partial<Pick<BetIdentities, 'combinations'>>

/** The values of one dimension, of each row that was loaded or of each horse of its races, as numbers from 0. */
export class DimensionValues {
  /** The values, each with its names. */
  readonly values: LabValue[] = []
  private readonly numbers = new Map<string, number>()
  private readonly ofRows: number[] = []
  /** By race and saddle number. */
  private readonly ofHorses = new Map<string, Map<number, number>>()
  private readonly dim: string
  private readonly of: ValuesOf
  /** Lower edges of bands; `null`: each value by itself. */
  private readonly bins: readonly number[] | null
  private readonly bets: LoadedRows
  // The same few thousand texts come again in every race.
  private readonly horsesOf = remembered((combination: string) => combination.split('-').map(Number))

  constructor(dim: string, of: ValuesOf, bins: readonly number[] | null, bets: LoadedRows) {
    this.dim = dim
    this.of = of
    this.bins = bins
    this.bets = bets
  }

  /**
   * Adds rows and returns how many there were. Throws `busy` if they are not those of the bets, because the files were
   * rebuilt meanwhile.
   */
  add({ bytes }: RowsPage): number {
    const table = tableFromIPC(bytes)
    const names = table.schema.fields.map(({ name }) => name).filter((name) => !KEYS.has(name))
    const columns = names.map((name) => [name, table.getChild(name)!] as const)
    const [raceIds, horses] = [table.getChild('race_id')!, table.getChild('horse_no')]
    for (let row = 0; row < table.numRows; row += 1) {
      const number = this.numberOf(
        Object.fromEntries(
          columns.map(([name, column]) => [name, (column.get(row) ?? null) as LabValue['']]),
        ),
      )
      const raceId = String(raceIds.get(row))
      if (this.of === 'horses') {
        const race = this.ofHorses.get(raceId) ?? new Map<number, number>()
        this.ofHorses.set(raceId, race.set(Number(horses!.get(row)), number))
      } else {
        if (raceId !== this.bets.raceIds[this.ofRows.length]) throw new FurlongError('busy')
        this.ofRows.push(number)
      }
    }
    return table.numRows
  }

  /** The numbers of the values that a bet counts under: one, or one for each of its horses that is known. */
  numbersOf(bet: number): readonly number[] {
    if (this.of === 'rows') return [this.ofRows[bet]!]
    const race = this.ofHorses.get(this.bets.raceIds[bet]!)
    return this.horsesOf(this.bets.combinations![bet]!).flatMap((horse) => race?.get(horse) ?? [])
  }

  private numberOf(cells: LabValue): number {
    const value = this.banded(cells[this.dim] ?? null)
    const key = `${typeof value} ${String(value)}`
    const known = this.numbers.get(key)
    if (known !== undefined) return known
    this.numbers.set(key, this.values.length)
    this.values.push({ ...cells, [this.dim]: value })
    return this.values.length - 1
  }

  /** The lower edge of a number's band, as SQL compares single precision with it. */
  private banded(value: LabValue['']): LabValue[''] {
    if (this.bins === null || typeof value !== 'number') return value
    return this.bins.findLast((edge) => value >= edge || value === Math.fround(edge)) ?? this.bins[0]!
  }
}
