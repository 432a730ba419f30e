import { z } from 'zod'
import { DATASET_KINDS, ENTITLEMENTS } from './dataset-paths.ts'
import { MODEL_IDS, ODDS_FREE_MODELS } from './model-ids.ts'

/**
 * Content of a file. `reference`: names (stadiums, horses, jockeys, trainers) of a region. `racing`: a
 * season's races, runners, dividends, locks and daily totals. `record`: a season's settled predictions and
 * starters of one model. `details`: the earlier runs and the place bets of that season's starters. `sections`: how they
 * ran, by their sectional times. `reasons`: feature contributions to that season's predictions. `ticks`: a season's odds
 * over time. `recent`: the settled predictions of the seven days up to the last race day by every model.
 */
export const DatasetKind = z.enum(DATASET_KINDS)
export type DatasetKind = z.infer<typeof DatasetKind>

/** Who may fetch a file: anyone, or users entitled to the whole history. */
export const Entitlement = z.enum(ENTITLEMENTS)
export type Entitlement = z.infer<typeof Entitlement>

export const DatasetFile = z.object({
  kind: DatasetKind,
  regionId: z.string(),
  /** Year in which the season began; `null` for files that do not belong to one. */
  season: z.number().int().nullable(),
  /** The model whose predictions the file holds; `null` if it holds those of no model or of all. */
  model: z.enum(MODEL_IDS).nullable(),
  entitlement: Entitlement,
  /** Hash of the file's bytes, lower-case hex: the file's name, and what clients verify. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  bytes: z.number().int(),
  /** Number of rows per table. */
  rows: z.record(z.string(), z.number().int()),
  /** First and last race day, `yyyy-mm-dd`; `null` for files without races. */
  from: z.string().nullable(),
  to: z.string().nullable(),
})
export type DatasetFile = z.infer<typeof DatasetFile>

export const DatasetRegion = z.object({
  id: z.string(),
  code: z.string(),
  nameEn: z.string(),
  nameHant: z.string(),
  nameHans: z.string(),
  timeZone: z.string(),
  currency: z.string(),
  seasonStartMonth: z.number().int(),
  /** The model without odds that stands promoted; absent in an index of an earlier version. */
  headline: z.enum(ODDS_FREE_MODELS).optional(),
})
export type DatasetRegion = z.infer<typeof DatasetRegion>

const ChainHead = z.object({
  regionId: z.string(),
  number: z.number().int(),
  chain: z.string().regex(/^[0-9a-f]{64}$/),
})

/** `manifest.json`: the files that can be opened. */
export const Manifest = z.object({
  schema: z.number().int(),
  /** Instant of the latest change, UTC. */
  asOf: z.string(),
  /** Whether the races are simulated. */
  demonstration: z.boolean(),
  regions: z.array(DatasetRegion),
  files: z.array(DatasetFile),
  /** The last entry of each region's chain of commitments: a chain that no longer has it was cut or rewritten. */
  chainHeads: z.array(ChainHead).optional(),
})
export type Manifest = z.infer<typeof Manifest>
