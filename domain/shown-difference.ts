/** As every language of the site writes a share: a percentage with one decimal. */
const PERCENT = new Intl.NumberFormat('en', {
  style: 'percent',
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
  useGrouping: false,
})

/** The percentage that is shown for a share of one. */
const shownPercent = (share: number): number => Number(PERCENT.format(share).replace('%', ''))

/**
 * The difference `b` − `a` of two shares as they are shown, so that a reader who subtracts finds the same: 31.1% and 27.2%
 * differ by −3.9%, even if −3.95% rounds to −4.0%.
 */
export const shownDifference = (a: number, b: number): number =>
  Number((shownPercent(b) - shownPercent(a)).toFixed(1)) / 100
