/**
 * Provenance of predictions: provably made before post time, computed after the races, or
 * changed since they were locked.
 */
export const ORIGINS = ['locked', 'backtest', 'changed'] as const
export type Origin = (typeof ORIGINS)[number]

/** Upper edges of the reliability diagram's probability bins: narrow where most predictions fall. */
export const CALIBRATION_EDGES = [0.02, 0.04, 0.06, 0.08, 0.1, 0.15, 0.2, 0.3, 0.4] as const

/** What a limit of a saved view can be set on. */
export const THRESHOLD_MEASURES = ['return', 'hit_rate', 'ae_market'] as const
