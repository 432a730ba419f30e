import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { StageExponents } from '../../../domain/harville.ts'
import { NetworkModel } from './network-model.ts'
import { Tree } from './tree.ts'

const Exponents = z.strictObject({ second: z.number(), third: z.number(), fourth: z.number() })

/**
 * Everything needed to predict the races of one season, fitted to earlier seasons only. A plain file, byte
 * for byte identical whenever it is fitted to the same races.
 */
export const ModelVersion = z.strictObject({
  /** Incremented when older files can no longer be read. */
  format: z.literal(2),
  regionId: z.string(),
  /** The season for which it predicts. */
  season: z.number().int(),
  /** First and last training day, and number of training races. */
  trainedFrom: z.string(),
  trainedTo: z.string(),
  races: z.number().int(),
  market: z.strictObject({ power: z.number(), exponents: Exponents }),
  /** `null` if there are too few races in earlier seasons. */
  fundamental: z
    .strictObject({
      features: z.array(
        z.strictObject({
          key: z.string(),
          /** Factor for a value: one over its standard deviation. */
          scale: z.number(),
          weight: z.number(),
          standardError: z.number(),
        }),
      ),
      trees: z.array(Tree),
      /** Factor for scores, fitted to the predictions of earlier versions. */
      temperature: z.number(),
      exponents: Exponents,
    })
    .nullable(),
  /** `null` if the settings have none, or there are too few races in earlier seasons. */
  network: NetworkModel.extend({
    /** Factor for scores, fitted to the predictions of earlier versions. */
    temperature: z.number(),
    exponents: Exponents,
  }).nullable(),
  /** `null` if earlier versions made too few predictions to fit it to. */
  blend: z.strictObject({ fundamental: z.number(), market: z.number(), exponents: Exponents }).nullable(),
})
export type ModelVersion = z.infer<typeof ModelVersion>

/**
 * Domain notes section 2, the refit on 2006–13: for probabilities without earlier ones to fit to. No imported
 * race was used to fit it.
 */
export const DEFAULT_EXPONENTS: StageExponents = { second: 0.88, third: 0.73, fourth: 0.67 }

/** The text of a version's file. */
export const versionText = (version: ModelVersion): string => `${JSON.stringify(version)}\n`

/** SHA-256 of the file's text, lower-case hex. */
export const versionHash = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Parses a version's file; throws if it does not have this format. */
export const readVersion = (text: string): ModelVersion => ModelVersion.parse(JSON.parse(text))
