import type { OwnChoices, OwnFile, OwnMatch } from '../../analytics/own-api.ts'
import { NO_CHOICES } from '../../analytics/own-api.ts'
import type { OwnRoles } from '../../domain/reading/own-columns.ts'
import { FurlongError } from '../../domain/errors.ts'
import { Own } from '../../workers/own/own.ts'
import { bareWasm, type BareWasm } from './wasm-engine.ts'
import type { Row } from './native.ts'

/** A race with its runners: saddle number, brand and names of the horse. */
export interface OwnRace {
  id: string
  runners: readonly { no: number; brand: string; en?: string | null; hant?: string | null }[]
}

const STADIUMS = [
  { id: 'HKSHT', en: 'Sha Tin', hant: '沙田', hans: '沙田' },
  { id: 'HKHAV', en: 'Happy Valley', hant: '跑馬地', hans: '跑马地' },
] as const

const literal = (value: string | number | null | undefined): string =>
  value === null || value === undefined
    ? 'NULL'
    : typeof value === 'number'
      ? String(value)
      : `'${value.replaceAll("'", "''")}'`

/** The engine's calls, which also adds the statements that it begins to run to `calls`. */
const recording = <Bindings extends object>(bindings: Bindings, calls: string[]): Bindings =>
  new Proxy(bindings, {
    get: (of, name) => {
      const found: unknown = Reflect.get(of, name)
      if (typeof found !== 'function') return found
      return (...given: unknown[]): unknown => {
        if (name === 'runQuery' || name === 'startPendingQuery') calls.push(String(given[1]))
        return found.apply(of, given) as unknown
      }
    },
  })

/** Reads and matches files of one's own as the worker does, with races that a test makes up. */
export class OwnReader {
  private readonly wasm: BareWasm
  private readonly own: Own
  /** The statements that the engine was asked to run so far. */
  readonly calls: string[]

  private constructor(wasm: BareWasm, own: Own, calls: string[]) {
    this.wasm = wasm
    this.own = own
    this.calls = calls
  }

  static async open(races: readonly OwnRace[], regionId = '100000'): Promise<OwnReader> {
    const wasm = await bareWasm()
    const brands = [...new Set(races.flatMap(({ runners }) => runners.map(({ brand }) => brand)))]
    const horseOf = (brand: string) =>
      races.flatMap(({ runners }) => runners).find((runner) => runner.brand === brand)!
    const values = (rows: readonly (readonly (string | number | null | undefined)[])[]): string =>
      rows.map((row) => `(${row.map(literal).join(', ')})`).join(', ')
    wasm.run(
      `CREATE TABLE stadium AS SELECT * FROM (VALUES ${values(STADIUMS.map(({ id, en, hant, hans }, at) => [at + 1, id, en, hant, hans]))}) AS s(stadium_key, stadium_id, name_en, name_hant, name_hans)`,
    )
    wasm.run(
      `CREATE TABLE race AS SELECT race_key, race_id, race_date::DATE AS race_date, race_no::TINYINT AS race_no, stadium_key FROM (VALUES ${values(
        races.map(({ id }, at) => [
          at + 1,
          id,
          `${id.slice(5, 9)}-${id.slice(9, 11)}-${id.slice(11, 13)}`,
          Number(id.slice(13)),
          STADIUMS.findIndex((stadium) => stadium.id === id.slice(0, 5)) + 1,
        ]),
      )}) AS r(race_key, race_id, race_date, race_no, stadium_key)`,
    )
    wasm.run(
      `CREATE TABLE horse AS SELECT horse_key, horse_id, brand, name_en::VARCHAR AS name_en, name_hant::VARCHAR AS name_hant, name_hans::VARCHAR AS name_hans FROM (VALUES ${values(
        brands.map((brand, at) => [
          at + 1,
          `HK_2020_${brand}`,
          brand,
          horseOf(brand).en,
          horseOf(brand).hant,
          null,
        ]),
      )}) AS h(horse_key, horse_id, brand, name_en, name_hant, name_hans)`,
    )
    wasm.run(
      `CREATE TABLE runner AS SELECT race_key, horse_no::TINYINT AS horse_no, horse_key FROM (VALUES ${values(
        races.flatMap(({ runners }, at) =>
          runners.map(({ no, brand }) => [at + 1, no, brands.indexOf(brand) + 1]),
        ),
      )}) AS r(race_key, horse_no, horse_key)`,
    )
    const calls: string[] = []
    const { connection, database } = wasm.duckdb
    const counted = {
      database,
      connection: {
        useUnsafe: (work: (bindings: object, id: number) => unknown) =>
          connection.useUnsafe((bindings, id) => work(recording(bindings, calls), id)),
      },
    } as unknown as BareWasm['duckdb']
    const own = new Own(async () => ({ duckdb: counted, dataset: {} as never, opened: {} as never }))
    await own.open({ regionId } as never)
    return new OwnReader(wasm, own, calls)
  }

  /** Reads a file. Throws its problem. */
  async read(content: string | Uint8Array, choices: Partial<OwnChoices> = {}): Promise<OwnFile> {
    const file = new Blob([content as Uint8Array<ArrayBuffer>])
    const reply = await this.own.read(file, { ...NO_CHOICES, ...choices }, () => {})
    if (!reply.ok) throw new FurlongError(reply.error.code, reply.error.details)
    return reply.file
  }

  /** Reads and matches a file; `data`: its rows of the console's table, in the order of races and saddle numbers. */
  async match(
    content: string | Uint8Array,
    choices: Partial<OwnChoices> & { roles?: OwnRoles } = {},
  ): Promise<{ file: OwnFile; match: OwnMatch; data: Row[] }> {
    const file = await this.read(content, choices)
    const reply = await this.own.match(choices.roles ?? file.roles, choices.dayOrder ?? null)
    if (!reply.ok) throw new FurlongError(reply.error.code, reply.error.details)
    return {
      file,
      match: reply.match,
      data: this.wasm.run('SELECT * FROM own_data ORDER BY race_key, horse_no'),
    }
  }

  cancel(): Promise<void> {
    return this.own.cancel()
  }

  rows(sql: string): Row[] {
    return this.wasm.run(sql)
  }
}
