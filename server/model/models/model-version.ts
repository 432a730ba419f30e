import { createHash } from 'node:crypto'
import { z } from 'zod'
import { FIRST_HEADLINE, ODDS_FREE_MODELS, type OddsFreeModel } from '../../../contract/model-ids.ts'
import { SHAPE_RANGE } from '../../../domain/gamma-field.ts'
import { USUAL_SHAPE, type OrderRule } from '../../../domain/order-rule.ts'
import { NetworkModel } from './network-model.ts'
import { Tree } from './tree.ts'

const Exponents = z.strictObject({ second: z.number(), third: z.number(), fourth: z.number() })
const Shape = z.number().int().min(SHAPE_RANGE.least).max(SHAPE_RANGE.most)

/**
 * A model with its order rule: the shape of the finishing times, or the stage exponents of versions fitted before there
 * was one. Those keep them, so that what they predicted follows from their file.
 */
const ordered = <Fields extends z.ZodRawShape>(fields: Fields) =>
  z.union([z.strictObject({ ...fields, shape: Shape }), z.strictObject({ ...fields, exponents: Exponents })])

/**
 * Everything needed to predict the races of one season, fitted to earlier seasons only. A plain file, byte
 * for byte identical whenever it is fitted to the same races.
 */
export const ModelVersion = z.strictObject({
  /** 2 since there are networks; files of format 1 predict as before, until the season is fitted anew. */
  format: z.union([z.literal(1), z.literal(2)]),
  regionId: z.string(),
  /** The season for which it predicts. */
  season: z.number().int(),
  /** First and last training day, and number of training races. */
  trainedFrom: z.string(),
  trainedTo: z.string(),
  races: z.number().int(),
  market: ordered({ power: z.number() }),
  /** `null` if there are too few races in earlier seasons. */
  fundamental: ordered({
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
  }).nullable(),
  /** `null` if the settings have none, or there are too few races in earlier seasons; absent in format 1. */
  network: ordered({
    ...NetworkModel.shape,
    /** Factor for scores, fitted to the predictions of earlier versions. */
    temperature: z.number(),
  })
    .nullable()
    .optional(),
  /** `null` if earlier versions made too few predictions to fit it to. */
  blend: ordered({
    /** The model without odds that it blends with the market; absent in versions of before the network: `fundamental`. */
    model: z.enum(ODDS_FREE_MODELS).optional(),
    /** Exponents of that model’s probabilities and of the market’s. */
    fundamental: z.number(),
    market: z.number(),
  }).nullable(),
})
export type ModelVersion = z.infer<typeof ModelVersion>

/** The format in which versions are fitted. */
export const FORMAT = 2

/** For win probabilities of which no version was fitted. */
export const DEFAULT_ORDER: OrderRule = { shape: USUAL_SHAPE }

/** How a version's model derives the places behind the winner. */
export const orderOf = (model: { shape: number } | { exponents: OrderRule }): OrderRule =>
  'shape' in model ? { shape: model.shape } : model.exponents

/** The model without odds that a version's blend is made of. */
export const blendedModel = ({ model }: Pick<NonNullable<ModelVersion['blend']>, 'model'>): OddsFreeModel =>
  model ?? FIRST_HEADLINE

/** The text of a version's file. */
export const versionText = (version: ModelVersion): string => `${JSON.stringify(version)}\n`

/** SHA-256 of the file's text, lower-case hex. */
export const versionHash = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Parses a version's file; throws if it does not have this format. */
export const readVersion = (text: string): ModelVersion => ModelVersion.parse(JSON.parse(text))
