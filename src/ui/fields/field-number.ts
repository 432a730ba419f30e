import { readNumber, type DecimalSign } from '../../../domain/reading/read-number.ts'

/** What a number field takes. */
export interface NumberLimits {
  min?: number | undefined
  max?: number | undefined
  /** Digits after the decimal sign at most; 0: whole numbers only. */
  places?: number | undefined
  /** Whether the field cannot be empty. */
  needed?: boolean | undefined
}

/** Why a text was not taken: the message `number.…` that says it, with an example of what would be. */
export interface FieldProblem {
  id: 'needed' | 'notANumber' | 'otherDecimalSign' | 'notWhole' | 'tooFine' | 'tooLow' | 'tooHigh'
  form: string
}

/** A number as it is written into a field: without groups of thousands, with the reader's decimal sign. */
export const writtenNumber = (value: number, decimal: DecimalSign): string =>
  String(value).replace('.', decimal)

/**
 * The number that a text of a field means to its reader, `null` for an empty one, or why it is not taken. Nothing is
 * rounded, limited or left out of it.
 */
export function fieldNumber(
  text: string,
  decimal: DecimalSign,
  { min, max, places, needed = false }: NumberLimits,
): { value: number | null } | { problem: FieldProblem } {
  const problem = (id: FieldProblem['id'], form: string) => ({ problem: { id, form } })
  const read = readNumber(text, { decimal, plain: true })
  if (text.trim() === '') return needed ? problem('needed', '') : { value: null }
  if (read.kind !== 'value') {
    const other = readNumber(text, { decimal: decimal === '.' ? ',' : '.', plain: true })
    return other.kind === 'value'
      ? problem('otherDecimalSign', writtenNumber(other.value, decimal))
      : problem('notANumber', writtenNumber(places === 0 ? 12 : 2.5, decimal))
  }
  const { value } = read
  if (places !== undefined && Number(value.toFixed(places)) !== value)
    return places === 0
      ? problem('notWhole', String(Math.floor(value)))
      : problem('tooFine', writtenNumber(Number(value.toFixed(places)), decimal))
  if (min !== undefined && value < min) return problem('tooLow', writtenNumber(min, decimal))
  if (max !== undefined && value > max) return problem('tooHigh', writtenNumber(max, decimal))
  return { value }
}
