/** Whether two arrays have the same numbers to the bit; far faster than a matcher on large ones. */
export const sameNumbers = (one: ArrayLike<number>, other: ArrayLike<number>): boolean => {
  if (one.length !== other.length) return false
  for (let at = 0; at < one.length; at += 1) if (!Object.is(one[at], other[at])) return false
  return true
}
