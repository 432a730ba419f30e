/**
 * First days of at most `count` months, evenly spaced between two days (`yyyy-mm-dd`); the first day itself
 * if both are in one month; none without days.
 */
export function monthsBetween(first: string | undefined, last: string | undefined, count: number): string[] {
  if (first === undefined || last === undefined) return []
  const indexOf = (day: string): number => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1
  const from = indexOf(first) + 1
  const months = indexOf(last) - from + 1
  if (months < 1) return [first]
  const step = Math.ceil(months / count)
  return Array.from({ length: Math.ceil(months / step) }, (_, at) => {
    const month = from + at * step
    return `${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}-01`
  })
}
