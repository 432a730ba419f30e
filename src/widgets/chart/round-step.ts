/** The next number of the form 1, 2 or 5 times a power of ten that is no smaller: the distance of ticks, the width of bands. */
export function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least))
  return power * ([1, 2, 5].find((each) => least <= each * power * (1 + 1e-9)) ?? 10)
}
