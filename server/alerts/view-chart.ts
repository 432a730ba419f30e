import sharp from 'sharp'

/** In pixels of the picture, which mailboxes show at half the size. */
const WIDTH = 1200
const HEIGHT = 400
const MARGIN = 24

const DAY_MS = 86_400_000

/**
 * The line of the profit to date as a PNG: days from left to right, amounts from below, with a rule at no profit. It has no
 * letters, because a server need not have fonts; `chartText` says what it shows. `null` for fewer than two days.
 */
export async function profitPicture(
  profitToDate: readonly (readonly [day: string, cents: number])[],
): Promise<Buffer | null> {
  const svg = profitSvg(profitToDate)
  return svg === null ? null : sharp(Buffer.from(svg)).png({ palette: true }).toBuffer()
}

function profitSvg(profitToDate: readonly (readonly [day: string, cents: number])[]): string | null {
  if (profitToDate.length < 2) return null
  const days = profitToDate.map(([day]) => Date.parse(day) / DAY_MS)
  const amounts = profitToDate.map(([, cents]) => cents)
  const [left, right] = [days[0]!, days.at(-1)!]
  const [low, high] = [Math.min(0, ...amounts), Math.max(0, ...amounts)]
  const xOf = (day: number): number =>
    MARGIN + ((day - left) / Math.max(1, right - left)) * (WIDTH - 2 * MARGIN)
  const yOf = (cents: number): number =>
    HEIGHT - MARGIN - ((cents - low) / Math.max(1, high - low)) * (HEIGHT - 2 * MARGIN)
  const line = days
    .map((day, at) => `${at === 0 ? 'M' : 'L'}${xOf(day).toFixed(1)} ${yOf(amounts[at]!).toFixed(1)}`)
    .join('')
  const zero = yOf(0).toFixed(1)
  const last = amounts.at(-1)!
  const colour = last < 0 ? '#b3261e' : '#1d6f4f'
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">
<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>
<path d="M${MARGIN} ${zero}H${WIDTH - MARGIN}" stroke="#8a8a84" stroke-width="2"/>
<path d="${line}" fill="none" stroke="${colour}" stroke-width="4" stroke-linejoin="round"/>
<circle cx="${xOf(right).toFixed(1)}" cy="${yOf(last).toFixed(1)}" r="8" fill="${colour}"/>
</svg>`
}
