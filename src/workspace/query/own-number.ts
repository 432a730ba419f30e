import type { Format } from '../../i18n/format.ts'

/** A number of the user's own file, with as many digits as distinguish it from its neighbours. */
export function ownNumber(format: Format, value: number): string {
  const size = Math.abs(value)
  return format.decimal(value, size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 4)
}
