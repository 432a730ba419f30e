import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { StageExponents } from '../../../domain/harville.ts'

const Exponents = z.strictObject({ second: z.number(), third: z.number(), fourth: z.number() })

const Tree = z.strictObject({
  column: z.array(z.number().int()),
  threshold: z.array(z.number()),
  left: z.array(z.number().int()),
  right: z.array(z.number().int()),
  value: z.array(z.number()),
})

/**
 * Everything that predicts the races of one season: fitted to earlier seasons only. A plain file, the same byte for
 * byte whenever it is made of the same races.
 */
export const ModelVersion = z.strictObject({
  /** Grows when files of before cannot be read any more. */
  format: z.literal(1),
  regionId: z.string(),
  /** The season that it is for. */
  season: z.number().int(),
  /** First and last day that it learnt from, and how many races. */
  trainedFrom: z.string(),
  trainedTo: z.string(),
  races: z.number().int(),
  market: z.strictObject({ power: z.number(), exponents: Exponents }),
  /** `null` while earlier seasons are too few to learn from. */
  fundamental: z
    .strictObject({
      features: z.array(
        z.strictObject({
          key: z.string(),
          /** What a value is multiplied by: one over its standard deviation. */
          scale: z.number(),
          weight: z.number(),
          standardError: z.number(),
        }),
      ),
      trees: z.array(Tree),
      /** What scores are multiplied by, fitted to what earlier versions predicted. */
      temperature: z.number(),
      exponents: Exponents,
    })
    .nullable(),
  /** `null` while no earlier version predicted anything to fit it to. */
  blend: z.strictObject({ fundamental: z.number(), market: z.number(), exponents: Exponents }).nullable(),
})
export type ModelVersion = z.infer<typeof ModelVersion>

/**
 * Domain notes section 2, the refit on 2006–13: for probabilities that nothing earlier could be fitted to. No race that
 * is imported helped to fit it.
 */
export const DEFAULT_EXPONENTS: StageExponents = { second: 0.88, third: 0.73, fourth: 0.67 }

/** The file's text. */
export const versionText = (version: ModelVersion): string => `${JSON.stringify(version)}\n`

/** SHA-256 of the file's text, lower-case hex. */
export const versionHash = (text: string): string => createHash('sha256').update(text).digest('hex')

/** A version from its text; throws when it is no version of this format. */
export const readVersion = (text: string): ModelVersion => ModelVersion.parse(JSON.parse(text))
