const DIGITS = /^\d{12,19}$/

/**
 * The digits of a card number, without blanks and hyphens; `null` unless 12 to 19 of
 * them pass the Luhn check.
 */
export function readCardNumber(text: string): string | null {
  const digits = text.replaceAll(/[ -]/g, '')
  return DIGITS.test(digits) && luhnSum(digits) % 10 === 0 ? digits : null
}

/** ISO/IEC 7812-1 annex B: every second digit from the right doubled, digits of the products summed. */
function luhnSum(digits: string): number {
  let sum = 0
  for (const [index, digit] of digits.split('').toReversed().entries()) {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1)
    sum += value > 9 ? value - 9 : value
  }
  return sum
}
