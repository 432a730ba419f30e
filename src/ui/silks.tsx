import { useId } from 'react'
import { readSilks, type Colour, type PartColours, type Pattern } from '../../domain/silks.ts'
import styles from './silks.module.css'

/** White is no brighter than the figures beside it in the dark. */
const FILLS: Readonly<Record<Colour, string>> = {
  white: '#eceeea',
  grey: '#a9adb0',
  pink: '#f29cbf',
  red: '#d3222a',
  maroon: '#761b2c',
  'dark green': '#0e4f31',
  'emerald green': '#16a058',
  'light green': '#93cd86',
  'dark blue': '#1c2b66',
  'royal blue': '#2056c6',
  'light blue': '#84c3ec',
  mauve: '#b297cf',
  purple: '#682a8f',
  yellow: '#f0cd25',
  orange: '#ee8417',
  beige: '#d6c399',
  brown: '#6d4326',
  black: '#0d0d0d',
}

/** A shape around each of five points of the square, as on a die. */
const five = (shape: string): string =>
  ['5 5', '19 5', '12 12', '5 19', '19 19'].map((point) => `M${point}${shape}`).join('')

const SASH = 'M-2 4 4-2 26 20 20 26Z'

/** Patterns as paths within a square of 24. */
const PATHS: Readonly<Record<Pattern, string>> = {
  armlets: 'M0 8h24v5H0Z',
  braces: 'M4.5 0h4v24h-4ZM15.5 0h4v24h-4Z',
  check: [0, 6, 12, 18].map((y) => `M${y % 12} ${y}h6v6h-6Zm12 0h6v6h-6Z`).join(''),
  chevron: 'M0 5 12 13 24 5v6L12 19 0 11Z',
  chevrons: [0, 8, 16].map((y) => `M0 ${y - 2}l12 7 12-7v4L12 ${y + 9} 0 ${y + 2}Z`).join(''),
  'cross belts': `${SASH}M26 4 20-2-2 20 4 26Z`,
  'cross of lorraine': 'M10.5 2h3v20h-3ZM6 6h12v3H6ZM3 12h18v3H3Z',
  diabolo: 'M0 0H24L0 24H24Z',
  diamond: 'M12 3 20 12 12 21 4 12Z',
  diamonds: five('m0-4 3.5 4-3.5 4-3.5-4Z'),
  disc: 'M5 12a7 7 0 0 1 14 0 7 7 0 0 1-14 0Z',
  epaulets: 'M0 0h7v7H0ZM17 0h7v7h-7Z',
  halved: 'M12 0h12v24H12Z',
  'hollow box': 'M4 5h16v14H4ZM8 9v6h8V9Z',
  hoop: 'M0 9h24v6H0Z',
  hoops: 'M0 2h24v4H0ZM0 10h24v4H0ZM0 18h24v4H0Z',
  'inverted triangle': 'M2 4H22L12 21Z',
  panel: 'M7 0h10v24H7Z',
  quartered: 'M12 0h12v12H12ZM0 12h12v12H0Z',
  sash: SASH,
  seams: 'M3.5 0h2v24h-2ZM11 0h2v24h-2ZM18.5 0h2v24h-2Z',
  spots: five('m-2.8 0a2.8 2.8 0 0 1 5.6 0 2.8 2.8 0 0 1-5.6 0Z'),
  star: 'M12 3l2.2 6.4h6.8l-5.4 4.1 2 6.5-5.6-3.9-5.6 3.9 2-6.5L3 9.4h6.8Z',
  stars: five('m0-4.6 1.1 3.1 3.3 0.1-2.6 2 0.9 3.1-2.7-1.8-2.7 1.8 0.9-3.1-2.6-2 3.3-0.1Z'),
  stripe: 'M9.5 0h5v24h-5Z',
  stripes: 'M2 0h4v24H2ZM10 0h4v24h-4ZM18 0h4v24h-4Z',
  'triple diamond': 'M12 0l5 4-5 4-5-4ZM12 8l5 4-5 4-5-4ZM12 16l5 4-5 4-5-4Z',
}

/** The outlines within a square of 32, and where a pattern's square is on each. */
const BODY = {
  outline: 'M11 9.4Q16 11.6 21 9.4L24.2 11 23.2 31H8.8L7.8 11Z',
  at: 'matrix(.68 0 0 .9 7.8 9.6)',
}
const SLEEVE = {
  outline: 'M11 9.4 7.4 10.6Q5.6 11.4 4.8 14L1.6 25.4 6.9 27.2 8.6 22.6 8 11.6Z',
  at: 'translate(9 9)rotate(16)matrix(.4 0 0 .78 -6.2 0)',
}
const CAP = {
  outline: 'M10.4 7.6C10.2 3 12.6 .8 16 .8 19.4 .8 21.6 3 21.6 6.4L25.2 7.9 10.4 7.6Z',
  at: 'matrix(.5 0 0 .33 10 .2)',
}

interface PartProps {
  id: string
  of: typeof BODY
  colours: PartColours
}

const Part = ({ id, of: { outline, at }, colours: { base, pattern, colour } }: PartProps) => (
  <>
    {pattern === null ? null : (
      <clipPath id={id}>
        <path d={outline} />
      </clipPath>
    )}
    <path d={outline} style={{ fill: FILLS[base] }} />
    {pattern === null ? null : (
      <g clipPath={`url(#${id})`}>
        <path d={PATHS[pattern]} transform={at} style={{ fill: FILLS[colour] }} />
      </g>
    )}
    <path d={outline} className={styles.edge} />
  </>
)

interface SilksProps {
  text: string | null
  /** Beside small cloths. */
  small?: boolean
}

/** A jockey's colours drawn from their text; nothing if any word of it is unknown. Decoration beside the horse's name. */
export function Silks({ text, small = false }: SilksProps) {
  const id = useId()
  const reading = text === null ? null : readSilks(text)
  if (reading?.kind !== 'silks') return null
  const { body, sleeves, cap } = reading.silks
  return (
    <svg
      viewBox="0 0 32 32"
      className={small ? `${styles.silks} ${styles.small}` : styles.silks}
      aria-hidden="true"
    >
      <g id={`${id}sleeve`}>
        <Part id={`${id}s`} of={SLEEVE} colours={sleeves} />
      </g>
      <use href={`#${id}sleeve`} transform="matrix(-1 0 0 1 32 0)" />
      <Part id={`${id}b`} of={BODY} colours={body} />
      <Part id={`${id}c`} of={CAP} colours={cap} />
    </svg>
  )
}
