import { seedOf, seededRandom } from '../../../domain/random.ts'
import {
  canHave,
  COLOURS,
  PATTERNS,
  silksText,
  type Colour,
  type PartColours,
  type SilksPart,
} from '../../../domain/silks.ts'

/** Invented silks: an owner's horses have the same body and sleeves, and differ by their caps. */
export function ownerSilks(owner: string, brand: string): string {
  const random = seededRandom(seedOf(`silks ${owner}`))
  const pick = <Item>(items: readonly Item[], draw = random): Item =>
    items[Math.floor(draw() * items.length)]!
  const base = pick(COLOURS)
  const second = pick(COLOURS.filter((colour) => colour !== base))
  const part = (of: SilksPart, own: Colour, share: number, draw = random): PartColours =>
    draw() < share
      ? {
          base: own,
          pattern: pick(
            PATTERNS.filter((pattern) => canHave(of, pattern)),
            draw,
          ),
          colour: own === base ? second : base,
        }
      : { base: own, pattern: null, colour: null }
  const body = part('body', base, 0.8)
  const sleeves = part('sleeves', random() < 0.5 ? base : second, 0.35)
  const ofHorse = seededRandom(seedOf(`cap ${owner} ${brand}`))
  const cap = part('cap', pick([base, second, ...COLOURS], ofHorse), 0.3, ofHorse)
  return silksText({ body, sleeves, cap })
}
