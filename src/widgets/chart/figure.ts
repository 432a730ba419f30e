import { tokenColour } from '../../ui/behaviour/theme.ts'
import { plainText } from './plain-text.ts'

/** `accent` for the main series, `soft` for its reference, `series-n` for several equal ones. */
export type Tone = 'accent' | 'soft' | 'series-1' | 'series-2' | 'series-3' | 'series-4' | 'series-5'

export interface Series {
  /** `steps` marks each value, `stairs` does not. */
  kind: 'line' | 'steps' | 'stairs' | 'bars' | 'points'
  name: string
  x: readonly (string | number)[]
  y: readonly number[]
  /** Tooltips, one per value; a line break begins a new line. */
  hover: readonly string[]
  tone: Tone
  /** Shades the area between this line and the previous one, without drawing a line. */
  band?: true
  /** Half-widths of an interval around each value. */
  error?: { up: readonly number[]; down: readonly number[] }
}

export interface Axis {
  title: string
  /** Explicit tick labels, so that numbers are formatted in the user's language. */
  ticks?: { at: readonly (string | number)[]; text: readonly string[] }
  /** Values are categories rather than quantities. */
  category?: boolean
  zero?: boolean
  /** Start and end of the axis. */
  range?: readonly [number, number]
  /** `range` and ticks are in the values' own unit, not logarithms. */
  logarithmic?: boolean
  /** Small values are better: the best is at the top. */
  reversed?: boolean
}

const families = new Map<string, string>()

/** The page's fonts in its language, read once: the chart library has a font of its own, which its texts would inherit. */
function fontFamily(): string {
  const { documentElement } = document
  const known = families.get(documentElement.lang)
  if (known !== undefined) return known
  const family = getComputedStyle(documentElement).getPropertyValue('--font').trim() || 'inherit'
  families.set(documentElement.lang, family)
  return family
}

/** Colours as the browser resolves them in the current theme, and the page's font. */
const currentColours = () => ({
  family: fontFamily(),
  ink: tokenColour('ink-soft'),
  text: tokenColour('ink'),
  line: tokenColour('line'),
  accent: tokenColour('accent'),
  soft: tokenColour('line-strong'),
  'series-1': tokenColour('series-1'),
  'series-2': tokenColour('series-2'),
  'series-3': tokenColour('series-3'),
  'series-4': tokenColour('series-4'),
  'series-5': tokenColour('series-5'),
  surface: tokenColour('surface'),
})
type Colours = ReturnType<typeof currentColours>

/** A value across: the library shows a category as its label. */
const shown = (value: string | number): string | number =>
  typeof value === 'string' ? plainText(value) : value

/** An axis in the chart library's terms. */
function axisLayout(
  { title, ticks, category, zero, logarithmic, range: given, reversed }: Axis,
  colours: Colours,
): object {
  const range = logarithmic ? given?.map(Math.log10) : given
  return {
    title: { text: plainText(title), standoff: 8, font: { size: 12 } },
    // Automatic margins lay out the chart several times; the fixed margins below suffice for most.
    automargin: title !== '' || category === true,
    fixedrange: true,
    // Detecting labels that overflow measures each of them on every draw; ticks are chosen to fit.
    ticklabeloverflow: 'allow',
    tickangle: 0,
    gridcolor: colours.line,
    linecolor: colours.line,
    zerolinecolor: colours.soft,
    ...(zero ? { rangemode: 'tozero' } : {}),
    ...(category ? { type: 'category' } : logarithmic ? { type: 'log' } : {}),
    ...(range ? { range: reversed ? range.toReversed() : range } : reversed ? { autorange: 'reversed' } : {}),
    ...(ticks ? { tickvals: ticks.at.map(shown), ticktext: ticks.text.map(plainText) } : {}),
  }
}

/** A series in the chart library's terms. */
function traceOf({ kind, name, x, y, hover, tone, band, error }: Series, colours: Colours): object {
  return {
    type: kind === 'bars' ? 'bar' : 'scatter',
    mode: kind === 'line' || kind === 'stairs' ? 'lines' : kind === 'steps' ? 'lines+markers' : 'markers',
    name: plainText(name),
    x: x.map(shown),
    y,
    text: hover.map(plainText),
    textposition: 'none',
    hovertemplate: '%{text}<extra></extra>',
    line: {
      color: colours[tone],
      width: band ? 0 : 2,
      ...(tone === 'soft' ? { dash: 'dot' } : {}),
      ...(kind === 'steps' || kind === 'stairs' ? { shape: 'hv' } : {}),
    },
    ...(band ? { fill: 'tonexty', fillcolor: colours.line.replace(/^rgb\((.*)\)$/, 'rgba($1, 0.45)') } : {}),
    marker: { color: colours[tone], size: kind === 'steps' ? 5 : 8 },
    ...(error
      ? {
          error_y: {
            type: 'data',
            symmetric: false,
            array: error.up,
            arrayminus: error.down,
            color: colours[tone],
            thickness: 1.2,
            width: 3,
          },
        }
      : {}),
  }
}

const LEAST_GAP = 0.2
const SHARE_OF_A_BAR = 0.09

/**
 * Fraction of a category's width that stays free, so that a bar never takes more than a tenth of the chart.
 */
function gapBetween(series: readonly Series[], { category }: Axis): number {
  const count = Math.max(0, ...series.map(({ kind, x }) => (kind === 'bars' ? x.length : 0)))
  return category ? Math.max(LEAST_GAP, 1 - count * SHARE_OF_A_BAR * series.length) : LEAST_GAP
}

interface FigureOptions {
  series: readonly Series[]
  x: Axis
  y: Axis
  height: number
  legend?: boolean | undefined
}

/** A chart in the chart library's terms, in the colours of the current theme. */
export function figureOf({ series, x, y, height, legend }: FigureOptions) {
  const colours = currentColours()
  return {
    data: series.map((each) => traceOf(each, colours)),
    layout: {
      autosize: true,
      height,
      margin: { l: 60, r: 28, t: 8, b: 28 },
      paper_bgcolor: 'rgba(0,0,0,0)',
      plot_bgcolor: 'rgba(0,0,0,0)',
      font: { color: colours.ink, family: colours.family, size: 12 },
      hoverlabel: { bgcolor: colours.surface, font: { color: colours.text } },
      showlegend: legend ?? (series.length > 1 && series.every(({ tone }) => tone.startsWith('series'))),
      legend: { orientation: 'h', x: 0, y: 1.02, yanchor: 'bottom' },
      // Two categories should be two bars, not two walls.
      bargap: gapBetween(series, x),
      // Dragging must scroll the page on touch screens.
      dragmode: false,
      xaxis: axisLayout(x, colours),
      yaxis: axisLayout(y, colours),
    },
  }
}
