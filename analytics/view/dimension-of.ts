import type { Dimension, HasDimensions } from '../model.ts'
import { MODELS } from '../models.ts'

/**
 * The dimensions of every subject, as the addresses of views have them: those with one name show the same. Whether a
 * subject has one, and for which bet types, is said by its own model.
 */
export const EVERY: HasDimensions = {
  // In the order of predictions, with what only runners have after it, and what only races have at the end.
  dimensions: {
    ...MODELS.predictions.dimensions,
    ...MODELS.runners.dimensions,
    ...MODELS.races.dimensions,
    ...MODELS.runners.dimensions,
    ...MODELS.predictions.dimensions,
  },
}

/** A dimension of any subject by its name, which must be one. */
export const dimensionOf = (name: string): Dimension => EVERY.dimensions[name]!

/** Whether the groups of a dimension fit in a query for several views at once: few of them, without hundreds of names. */
export const isShort = (name: string): boolean => dimensionOf(name).few === true || name === 'month'
