/** A piece of gear as the Jockey Club publishes it: its code, and whether it is new, worn again or taken off. */
export interface GearItem {
  /** Such as `TT` for a tongue tie. */
  code: string
  mark: 'first' | 'again' | 'off' | null
}

const MARKS: Readonly<Record<string, NonNullable<GearItem['mark']>>> = {
  '1': 'first',
  '2': 'again',
  '-': 'off',
}

/** Reads gear as published: `B1/TT-` is blinkers for the first time and a tongue tie that was taken off; `--` is none. */
export const gearItems = (gear: string): GearItem[] =>
  gear.split('/').flatMap((item) => {
    const mark = MARKS[item.at(-1) ?? ''] ?? null
    const code = mark === null ? item : item.slice(0, -1)
    return /^-*$/.test(code) ? [] : [{ code, mark }]
  })
