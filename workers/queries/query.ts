import type { z } from 'zod'
import type { QUERIES, QueryName } from '../../contract/queries.ts'
import type { Access } from '../sql/record-source.ts'

/** A question as it is put to the engine. */
export interface PreparedQuery {
  sql: string
  source: 'cube' | 'rows'
}

/** Builds the SQL of one named query from parameters that were validated. May throw `vip-needed`. */
export type QueryBuilder<Name extends QueryName> = (
  parameters: z.output<(typeof QUERIES)[Name]>,
  access: Access,
) => PreparedQuery
