import type { Dimension, Model } from '../../../analytics/model.ts'
import { PREDICTIONS } from '../../../analytics/predictions.ts'

const { dimensions }: Model = PREDICTIONS

/** A dimension of the predictions by its name, which must be one. */
export const dimensionOf = (name: string): Dimension => dimensions[name]!

/** Whether the groups of a dimension fit in a query for several views at once: few of them, without hundreds of names. */
export const isShort = (name: string): boolean => dimensionOf(name).few === true || name === 'month'
