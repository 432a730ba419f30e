import { z } from 'zod'
import { endpoint, type ResultOf } from './endpoint.ts'
import { line, nameLanguage, raceId, share } from './fields.ts'

const horseNumber = z.number().int().min(1).max(99)
/** As the Jockey Club publishes it, `B1/TT`; empty: none. */
const gear = z.string().regex(/^[A-Z0-9/-]{0,60}$/, 'field.invalid')

/** What is tried of a runner; what is absent stays as it was when the race was predicted. */
const TrialChange = z.strictObject({
  horseNumber,
  withdrawn: z.boolean().optional(),
  /** A stall of the card. */
  draw: z.number().int().min(1).max(40).optional(),
  /** One of `jockeys`. */
  jockeyId: line(200).optional(),
  /** Pounds to be carried. */
  weightLb: z.number().int().min(80).max(180).optional(),
  gear: gear.optional(),
})
export type TrialChange = z.output<typeof TrialChange>

export const queryTrial = endpoint('customer', 'POST /race/api/queryTrial', {
  summary:
    'What the model without odds would say of a race with another card; never stored. For subscribers and VIP',
  body: z.object({
    raceId,
    going: z
      .string()
      .regex(/^[a-z_]{1,30}$/, 'field.invalid')
      .optional(),
    /** At most one a runner. */
    changes: z.array(TrialChange).max(40),
  }),
  result: z.strictObject({
    /**
     * Why there is no trial. `look-back`: of this race nothing was kept to compute with; `version`: the model has been
     * trained anew since it predicted the race.
     */
    missing: z.enum(['look-back', 'version']).nullable(),
    trial: z
      .strictObject({
        model: z.string(),
        /** Of the card as it was predicted; empty if unknown. */
        going: z.string(),
        runners: z.array(
          z.strictObject({
            horseNumber: z.number().int(),
            draw: z.number().int().nullable(),
            jockeyId: z.string().nullable(),
            weightLb: z.number().int().nullable(),
            gear: z.string().nullable(),
            /** Win probability as it was predicted, of its coupled entry if it has one. */
            before: share,
            /** With the changes; `null` if it is withdrawn. */
            after: share.nullable(),
            /**
             * Why it changed: the logarithms of factors whose product leads from one probability to the other, the largest
             * first. By group of features relative to the rest of the field; `field` is what is left: the share of who
             * is withdrawn, and how much better or worse the others became together.
             */
            reasons: z.array(z.strictObject({ feature: z.string(), value: z.number() })),
          }),
        ),
        /** Those who rode lately or ride in this race, as of the day before it. */
        jockeys: z.array(z.strictObject({ id: z.string(), name: z.string(), nameLanguage })),
      })
      .nullable(),
  }),
})
export type TrialAnswer = ResultOf<typeof queryTrial>
export type Trial = NonNullable<TrialAnswer['trial']>
