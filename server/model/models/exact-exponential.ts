const LN2_HIGH = 6.9314718036912381649e-1
const LN2_LOW = 1.90821492927058770002e-10
const LEAST = -700

/**
 * e^x for x ≤ 0, to 2 units in the last place, by sums and products alone: `Math.exp` may differ in the last bit between
 * processors and versions of Node, and a trained network would then be another file. 0 below −700.
 */
export function exactExponential(x: number): number {
  if (x < LEAST) return 0
  const halvings = Math.floor(-x / LN2_HIGH + 0.5)
  const rest = x + halvings * LN2_HIGH + halvings * LN2_LOW
  // Taylor series on [−0.35, 0.35]; the first omitted term is below 2e-17.
  let sum = 1
  for (let term = 13; term >= 1; term -= 1) sum = 1 + (rest / term) * sum
  let power = 0.5
  let left = halvings
  // Powers of two are exact.
  for (; left > 0; left >>= 1) {
    if ((left & 1) === 1) sum *= power
    power *= power
  }
  return sum
}
