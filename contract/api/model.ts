import { z } from 'zod'
import { ORIGINS } from '../record-vocabulary.ts'
import { endpoint, type ResultOf } from './endpoint.ts'
import { day, gameplayClass, instant, negativeDays, raceId, regionId, share, wholeNumber } from './fields.ts'

const hash = z.string().regex(/^[0-9a-f]{64}$/)

/** An entry of a region's chain of commitments (`docs/data-format.md`). */
const Lock = z.strictObject({
  number: z.number().int(),
  raceId,
  modelId: z.string(),
  sha256: hash,
  lockedAt: instant,
  /** Hash of the chain up to this entry. */
  chain: hash,
})
export type Lock = z.infer<typeof Lock>

export const queryLockChain = endpoint('open', 'GET /race/api/queryLockChain', {
  summary: 'A region’s chain of commitments from an entry on, 500 at most: hashes only',
  query: z.object({ countryRegionId: regionId, fromNumber: wholeNumber(1, 999_999_999).default(1) }),
  result: z.strictObject({ previous: hash, entries: z.array(Lock) }),
})
export type LockChain = ResultOf<typeof queryLockChain>

export const queryLocksOfDay = endpoint('open', 'GET /race/api/queryLocksOfDay', {
  summary: 'Commitments to the races of a day: hashes only',
  query: z.object({ countryRegionId: regionId, day }),
  result: z.array(Lock),
})

export const queryRaceLocks = endpoint('open', 'GET /race/api/queryRaceLocks', {
  summary: 'Commitments to one race, the later ones in the place of the earlier; and what was found changed',
  query: z.object({ raceId }),
  result: z.strictObject({
    regionId: z.string(),
    entries: z.array(Lock),
    /** Models whose stored predictions no longer match the lock. */
    changed: z.array(z.string()),
  }),
})

export const queryLockedForecasts = endpoint('customer', 'GET /race/api/queryLockedForecasts', {
  summary:
    'What is stored of a race’s forecasts, for checking it against its commitments; for subscribers and VIP',
  query: z.object({ raceId }),
  result: z.array(
    z.strictObject({
      raceId,
      modelId: z.string(),
      chances: z.array(z.strictObject({ horseNo: z.number().int(), probability: share })),
      predictions: z.array(
        z.strictObject({
          gameplayClass: z.number().int(),
          rank: z.number().int(),
          combination: z.string(),
          probability: share,
          selected: z.boolean(),
          cautious: z.boolean(),
          upsetGuard: z.boolean(),
        }),
      ),
    }),
  ),
})
export type LockedForecast = ResultOf<typeof queryLockedForecasts>[number]

export const queryAccuracyDetail = endpoint('open', 'GET /race/api/queryAccuracyDetail', {
  summary:
    'Hits and misses of the last days, and whether they were locked before the off: never both in one figure',
  query: z.object({
    countryRegionId: regionId.optional(),
    days: negativeDays.default(-7),
    gameplayClass: gameplayClass.default(1),
  }),
  result: z.strictObject({
    origin: z.enum(ORIGINS),
    hits: z.number().int(),
    misses: z.number().int(),
    /** Models whose first choices are counted: for each race, its headline model. */
    models: z.array(z.string()),
  }),
})

const Interval = z.strictObject({ low: z.number(), high: z.number() })

/** What a model gains on another over the races of both (`domain/paired-gain.ts`). */
const Gain = z.strictObject({
  races: z.number().int(),
  /** R² of the model minus that of the other. */
  gain: z.number(),
  interval: Interval,
  /** Log loss of the other minus that of the model, nats a race. */
  nats: z.strictObject({ gain: z.number(), interval: Interval }),
})

const Metrics = z.strictObject({
  races: z.number().int(),
  /** Mean −ln of the winner's probability per race. */
  logLoss: z.number(),
  /** 1 − log loss / log loss of 1/N, as sums over the races. */
  r2: z.number(),
  /** Standard error of R², clustered by meeting; `null` below two meetings and for the uniform source. */
  r2Error: z.number().nullable(),
  top1: z.number(),
  /** Share of races in which the winner is among the three most probable. */
  top3: z.number(),
  /** Mean of Σ (p − won)² over the starters. */
  brier: z.number(),
  /** Exponent that fits the probabilities best: 1 is ideal, below 1 they are overconfident. */
  slope: z.number(),
  /** `null` if the slope cannot be estimated; 0 for the uniform source. */
  slopeError: z.number().nullable(),
  /** Profit over stake of the first choice at a flat stake, with its 95% interval by meeting. */
  returns: z
    .strictObject({ rate: z.number(), interval: Interval.nullable(), bets: z.number().int() })
    .nullable(),
})
export type CardMetrics = z.infer<typeof Metrics>

/** Over the races of a season, or of all pooled ones: `before` is by stage exponents, `now` by the model's order rule. */
const Both = z.strictObject({ before: z.number(), now: z.number() })

/** What combinations of a model were worth, by the order rule in use and by stage exponents fitted to earlier seasons. */
const ExoticRecord = z.strictObject({
  /** Log-likelihood of the second to fourth with the order rule, less that with the exponents: nats per race. */
  gains: z.array(
    z.strictObject({
      /** `null`: all pooled seasons. */
      season: z.number().nullable(),
      races: z.number(),
      gain: z.number(),
      interval: Interval,
    }),
  ),
  classes: z.array(
    z.strictObject({
      gameplayClass: z.number(),
      season: z.number().nullable(),
      races: z.number(),
      /** Winning combinations per race among the ten most probable: observed and expected. */
      top10: Both,
      top10Expected: Both,
      /** −ln of the winning combination's probability per race; `null` where several win. */
      loss: Both.nullable(),
      /** The same in the races whose dividend is known, and the pool's own share there. */
      pool: z
        .strictObject({ races: z.number(), loss: Both, poolLoss: z.number(), verified: z.boolean() })
        .nullable(),
    }),
  ),
  /** Every combination of the pooled races by its probability. */
  calibration: z.array(
    z.strictObject({
      gameplayClass: z.number(),
      rule: z.enum(['before', 'now']),
      bins: z.array(
        z.strictObject({
          from: z.number(),
          to: z.number(),
          combinations: z.number(),
          mean: z.number(),
          observed: z.number(),
          interval: Interval.nullable(),
        }),
      ),
    }),
  ),
})
export type ExoticRecord = z.infer<typeof ExoticRecord>

/** What a network of which parts are left out can see. */
export const NETWORK_PARTS = ['linear', 'figures', 'people', 'context', 'whole'] as const

/** What the newest version's network is, and what its parts are worth. */
const NetworkCard = z.strictObject({
  /** Factor of the linear scores, and number of networks whose scores are averaged. */
  offset: z.number(),
  networks: z.number(),
  trees: z.number(),
  /** People whom it knows by name. */
  jockeys: z.number(),
  trainers: z.number(),
  /**
   * R² of networks of which parts were left out, and its difference to the linear model, over races of several seasons.
   * Recorded when the settings were chosen, not computed from this installation's data.
   */
  ablation: z.array(
    z.strictObject({
      seasons: z.array(z.number()),
      races: z.number(),
      rows: z.array(
        z.strictObject({
          part: z.enum(NETWORK_PARTS),
          r2: z.number(),
          above: z.strictObject({ gain: z.number(), interval: Interval }).nullable(),
        }),
      ),
    }),
  ),
})
export type NetworkCard = z.infer<typeof NetworkCard>

/**
 * The model card (`server/scoring/model-card.ts`): the training data of the models, and their
 * out-of-sample performance.
 */
/** The blend of a card of an earlier program, which was of the one model without odds that there was. */
function blendOfBefore(blend: unknown): unknown {
  if (typeof blend !== 'object' || blend === null || !('fundamental' in blend)) return blend
  const { fundamental, ...rest } = blend
  return { model: 'fundamental', own: fundamental, ...rest }
}

export const ModelCardAnswer = z.strictObject({
  regionId: z.string(),
  data: z.strictObject({ from: z.string(), to: z.string(), races: z.number(), starters: z.number() }),
  versions: z.array(
    z.strictObject({
      season: z.number(),
      sha256: hash,
      trainedFrom: z.string(),
      trainedTo: z.string(),
      races: z.number(),
    }),
  ),
  /** Features of the newest version; empty until one has been fitted. */
  features: z.array(
    z.strictObject({
      key: z.string(),
      group: z.string(),
      unit: z.string(),
      source: z.string(),
      /** Change of log-odds per standard deviation; in sample, as fitted to the training races. 0: the region has no data for it. */
      weight: z.number(),
      /** Weight divided by its standard error, in sample. */
      t: z.number(),
    }),
  ),
  settings: z
    .strictObject({
      trees: z.number(),
      temperature: z.number(),
      power: z.number(),
      /** Exponents of the blend, and the model without odds that it is made of. */
      blend: z.preprocess(
        blendOfBefore,
        z.strictObject({ model: z.string(), own: z.number(), market: z.number() }).nullable(),
      ),
    })
    .nullable(),
  /** Seasons that are reported one by one. */
  seasons: z.array(z.number()),
  /** Seasons on which settings were chosen: reported individually and excluded from pooled figures. */
  tuning: z.array(z.number()),
  pooled: z.array(z.number()),
  sources: z.array(
    z.strictObject({
      source: z.string(),
      pooled: Metrics,
      bySeason: z.array(z.strictObject({ season: z.number(), metrics: Metrics })),
    }),
  ),
  /** R² of a model minus that of the market over the pooled seasons. */
  gains: z.array(z.strictObject({ model: z.string(), gain: z.number(), interval: Interval })),
  /**
   * The later model without odds against the earlier one, pooled and by season; `null` while it predicted no season, and in
   * a card of an earlier program.
   */
  challenge: z
    .strictObject({
      model: z.string(),
      against: z.string(),
      pooled: Gain,
      bySeason: z.array(z.strictObject({ season: z.number(), gain: Gain })),
    })
    .nullable()
    .default(null),
  calibration: z.array(
    z.strictObject({
      model: z.string(),
      bins: z.array(
        z.strictObject({
          from: z.number(),
          to: z.number(),
          starters: z.number(),
          mean: z.number(),
          observed: z.number(),
          interval: Interval.nullable(),
        }),
      ),
    }),
  ),
  exotics: z.array(
    z.strictObject({
      model: z.string(),
      /**
       * Mean log-likelihood per race of the second, third and fourth: with plain Harville, with stage exponents fitted to
       * earlier seasons, and with the model's order rule.
       */
      stages: z.array(
        z.strictObject({
          place: z.number(),
          races: z.number(),
          plain: z.number(),
          fitted: z.number(),
          /** Missing in a card of an earlier program. */
          order: z.number().optional(),
        }),
      ),
      /** Missing in a card of an earlier program. */
      record: ExoticRecord.optional(),
      coverage: z.array(
        z.strictObject({
          gameplayClass: z.number(),
          races: z.number(),
          /**
           * Winning combinations per race among the most probable one, and among the ten most probable: observed
           * and expected.
           */
          top1: z.number(),
          top1Expected: z.number(),
          top10: z.number(),
          top10Expected: z.number(),
        }),
      ),
      pools: z.array(
        z.strictObject({
          gameplayClass: z.number(),
          races: z.number(),
          /** Mean of ln(model) − ln(pool) of the winning combination, nats per race: above 0 the model is better. */
          gain: z.number(),
          interval: Interval,
          /** Whether the takeout used to compute pool shares is confirmed. */
          verified: z.boolean(),
        }),
      ),
    }),
  ),
  /** `null` if the newest version has none; missing in a card of an earlier program. */
  network: NetworkCard.nullable().optional(),
})
export type ModelCardAnswer = z.infer<typeof ModelCardAnswer>

export const queryModelCard = endpoint('customer', 'GET /race/api/queryModelCard', {
  summary: 'The model card of a region and its Markdown, for VIPs; null while no model was trained',
  query: z.object({ countryRegionId: regionId }),
  result: z
    .strictObject({
      card: ModelCardAnswer,
      text: z.string(),
      /** Which models without odds were shown first from when on, oldest first; before the first one `fundamental`. */
      promotions: z.array(z.strictObject({ model: z.string(), promotedAt: instant })),
    })
    .nullable(),
})

/** How often a way of choosing one horse a race won, and what a flat stake on it returned. */
const ProofLine = z.strictObject({
  hitRate: share,
  /** Wilson 95% interval; `null` for a random horse, whose rate is the mean of 1/N. */
  hitInterval: Interval.nullable(),
  returns: Metrics.shape.returns,
})
export type ProofLine = z.infer<typeof ProofLine>

export const queryProof = endpoint('open', 'GET /race/api/queryProof', {
  summary:
    'First choices, the favourite and a random horse over the pooled seasons of a region’s model card, which the models had not seen; null while there are none',
  query: z.object({ countryRegionId: regionId }),
  result: z
    .strictObject({
      /** Whose first choices are counted: the model that races with odds show first. */
      model: z.string(),
      /** Seasons by the year in which they start, oldest first. */
      seasons: z.array(z.number().int()),
      /** Races, the same for all three. */
      races: z.number().int(),
      pick: ProofLine,
      favourite: ProofLine,
      random: ProofLine,
    })
    .nullable(),
})
export type Proof = NonNullable<ResultOf<typeof queryProof>>
