import { tableFromArrays, tableToIPC, vectorFromArray, Bool, Float64, Table, Utf8 } from 'apache-arrow'
import type { Answer, Connector } from '../../analytics/connector.ts'
import { dimensionsOf, type Filter } from '../../analytics/filter.ts'
import type { Model, Scalar } from '../../analytics/model.ts'
import { MODELS, type ModelName } from '../../analytics/models.ts'
import type { NamedRequest } from '../../analytics/named.ts'
import type { ColumnSpec } from '../../analytics/plan.ts'
import { planRequest } from '../../analytics/plan-request.ts'
import type { Aggregate, Linked, Request } from '../../analytics/request.ts'
import type { RowsRequest } from '../../analytics/rows.ts'
import { compareKeys, grouped, isSelected, measureOf, singled, type Fact } from './prepared-facts.ts'

type Row = Readonly<Record<string, Scalar | null>>

export interface PreparedTables {
  predictions?: readonly Fact[]
  runners?: readonly Fact[]
  races?: readonly Fact[]
  /** Rows of named queries. */
  named?: (request: NamedRequest) => readonly Row[]
  /** Names of values in the three languages: `racecourse`, then its value. */
  names?: Readonly<
    Record<string, Readonly<Record<string, readonly [en: string, hant: string, hans: string]>>>
  >
  /** Ids of values that can be followed: `horse`, then its value. */
  ids?: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** Half the width of every interval. */
  reach?: number
  /** The rights that the plan is made with. */
  scope?: 'all' | 'public'
  /** Rows that replace the computed ones; `undefined` leaves them. */
  instead?: (request: Request) => readonly Row[] | undefined
}

/**
 * A connector whose answers are sums of prepared tables: requests are planned as the engine plans them, so that one that
 * it would refuse is refused here too, and columns have the names and types of real answers.
 */
export class PreparedConnector implements Connector {
  /** Every request so far. */
  readonly requests: Request[] = []

  tables: PreparedTables

  /** Requests that this matches are not answered until it is set to `null`. */
  private delayed: { matches: (request: Request) => boolean; released: Promise<void> } | null = null

  constructor(tables: PreparedTables) {
    this.tables = tables
  }

  /** Holds answers back until the returned function is called. */
  hold(matches: (request: Request) => boolean): () => void {
    let release: () => void = () => {}
    this.delayed = { matches, released: new Promise((resolve) => (release = resolve)) }
    return () => {
      this.delayed = null
      release()
    }
  }

  async run(request: Request): Promise<Answer> {
    this.requests.push(request)
    const { source, rejected, columns, fanOut, cluster } = planRequest(request, {
      scope: this.tables.scope ?? 'all',
    })
    if (this.delayed?.matches(request)) await this.delayed.released
    const rows = this.tables.instead?.(request) ?? this.rowsOf(request)
    return {
      bytes: new Uint8Array(tableToIPC(tableOf(columns, rows))),
      columns,
      source,
      rejected,
      fanOut,
      cluster,
      milliseconds: 1,
      computed: 'remote',
      asOf: '2026-01-31T00:00:00.000Z',
    }
  }

  private rowsOf(request: Request): readonly Row[] {
    if ('aggregate' in request) return this.groups(request.aggregate)
    if ('linked' in request) return this.panels(request.linked)
    if ('rows' in request) return this.page(request.rows)
    if (!this.tables.named) throw new Error(`no rows are prepared for ${request.named.name}`)
    return this.tables.named(request.named)
  }

  private selected(model: ModelName, by: readonly string[], where: Filter | null) {
    const facts = this.tables[model]
    if (!facts) throw new Error(`no ${model} are prepared`)
    return singled(facts, [...by, ...dimensionsOf(where)]).filter((fact) => isSelected(fact, where))
  }

  private figures(model: Model, measures: readonly string[], facts: ReturnType<typeof singled>): Row {
    const { reach = 0.1 } = this.tables
    return Object.fromEntries(
      measures.flatMap((name): [string, number | null][] => {
        const value = measureOf(model, name, facts)
        const bound = (sign: number): number | null => (value === null ? null : value + sign * reach)
        return [
          [name, value],
          [`${name}_low`, bound(-1)],
          [`${name}_high`, bound(1)],
        ]
      }),
    )
  }

  private named(dim: string, value: Scalar | null): Row {
    const names = this.tables.names?.[dim]?.[String(value)] ?? [null, null, null]
    return {
      ...Object.fromEntries(['en', 'hant', 'hans'].map((each, at) => [`${dim}_${each}`, names[at] ?? null])),
      [`${dim}_id`]: this.tables.ids?.[dim]?.[String(value)] ?? null,
    }
  }

  private groups({ model: name, by, measures, where, sort = [], limit = 1000 }: Aggregate): readonly Row[] {
    const model: Model = MODELS[name]
    const rows = grouped(this.selected(name, by, where), by).map(({ keys, facts }) => ({
      ...this.figures(model, measures, facts),
      ...Object.fromEntries(by.map((dim, at) => [dim, keys[at] ?? null])),
      ...Object.assign({}, ...by.map((dim, at) => this.named(dim, keys[at] ?? null))),
    })) as Row[]
    return inOrder(rows, sort, (a, b) => {
      for (const dim of by) {
        const order = compareKeys(model.dimensions[dim]!, a[dim] ?? null, b[dim] ?? null)
        if (order !== 0) return order
      }
      return 0
    }).slice(0, limit)
  }

  private panels({ model: name, panels, measures }: Linked): readonly Row[] {
    return panels.flatMap(({ by, where }, panel) =>
      grouped(this.selected(name, by, where), by).map(({ keys, facts }) => ({
        ...this.figures(MODELS[name], measures, facts),
        panel,
        key: keys[0] === undefined || keys[0] === null ? null : String(keys[0]),
        key2: keys[1] === undefined || keys[1] === null ? null : String(keys[1]),
      })),
    )
  }

  private page({ model, where, sort, offset, limit }: RowsRequest): readonly Row[] {
    const facts = this.tables[model] ?? []
    // Each combination is listed once, whichever of its horses a filter selects.
    const rows = facts.flatMap((fact) =>
      singled([fact], [...dimensionsOf(where)])
        .filter((each) => isSelected(each, where))
        .slice(0, 1),
    )
    return inOrder(
      rows.map(({ values }) => values),
      sort,
      () => 0,
    ).slice(offset, offset + limit)
  }
}

function inOrder(
  rows: readonly Row[],
  sort: readonly { by: string; descending: boolean }[],
  natural: (a: Row, b: Row) => number,
): Row[] {
  return rows.toSorted((a, b) => {
    for (const { by, descending } of sort) {
      const [left, right] = [a[by] ?? null, b[by] ?? null]
      if (left === right) continue
      if (left === null || right === null) return left === null ? 1 : -1
      return left < right === descending ? 1 : -1
    }
    return natural(a, b)
  })
}

const TYPES = { number: new Float64(), text: new Utf8(), boolean: new Bool() } as const

/** Rows as an Arrow table with exactly the columns of an answer; a value that is not given is unknown. */
function tableOf(columns: readonly ColumnSpec[], rows: readonly Row[]): Table {
  if (columns.length === 0) return tableFromArrays({})
  return new Table(
    Object.fromEntries(
      columns.map(({ name, type }) => [
        name,
        vectorFromArray(
          rows.map((row) => row[name] ?? null),
          TYPES[type],
        ),
      ]),
    ),
  )
}
