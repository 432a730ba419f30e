import type { RollingWindow } from '../../../analytics/view-sql.ts'

/** The message that names a window, with its values. */
export const windowText = ({ length, unit }: RollingWindow) =>
  [`workspace.rolling.${unit}`, { length }] as const
