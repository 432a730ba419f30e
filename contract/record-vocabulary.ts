/** When predictions were made: before the off and proven so, after the races, or not as they were locked. */
export const ORIGINS = ['locked', 'backtest', 'changed'] as const
export type Origin = (typeof ORIGINS)[number]

/** Upper edges of the bins of the reliability diagram, of probability: narrow where most predictions are. */
export const CALIBRATION_EDGES = [0.02, 0.04, 0.06, 0.08, 0.1, 0.15, 0.2, 0.3, 0.4] as const
