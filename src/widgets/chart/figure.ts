import { frameOf } from './frame.ts'
import { STYLES } from './marks.ts'
import { plainText } from './plain-text.ts'
import type { Axis, Series } from './series.ts'
import { tokenColour } from './token-colour.ts'

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
  surface: tokenColour('surface'),
})
type Colours = ReturnType<typeof currentColours>

/** A value across: the library shows a category as its label. */
const shown = (value: string | number): string | number =>
  typeof value === 'string' ? plainText(value) : value

/** An axis in the chart library's terms. */
function axisLayout(
  { title, ticks, category, zero, logarithmic, range: given, reversed }: Axis,
  { grid, colours }: { grid: boolean; colours: Colours },
): object {
  const range = logarithmic ? given?.map(Math.log10) : given
  return {
    title: { text: plainText(title), standoff: 8, font: { size: 12 } },
    // Automatic margins lay out the chart several times; those of its frame suffice for most.
    automargin: category === true,
    fixedrange: true,
    // Detecting labels that overflow measures each of them on every draw; ticks are chosen to fit.
    ticklabeloverflow: 'allow',
    tickangle: 0,
    showgrid: grid,
    gridcolor: colours.line,
    linecolor: colours.line,
    zeroline: grid,
    zerolinecolor: colours.ink,
    ...(zero ? { rangemode: 'tozero' } : {}),
    ...(category ? { type: 'category' } : logarithmic ? { type: 'log' } : {}),
    ...(range ? { range: reversed ? range.toReversed() : range } : reversed ? { autorange: 'reversed' } : {}),
    ...(ticks ? { tickvals: ticks.at.map(shown), ticktext: ticks.text.map(plainText) } : {}),
    // Otherwise the categories of the first series would come first.
    ...(ticks && category ? { categoryorder: 'array', categoryarray: ticks.at.map(shown) } : {}),
  }
}

/** The interval of each value in the chart library's terms. */
const errorOf = ({ up, down }: NonNullable<Series['error']>, color: string): object => ({
  type: 'data',
  symmetric: false,
  array: up,
  arrayminus: down,
  color,
  thickness: 1.5,
  width: 3,
})

/** A series in the chart library's terms. */
function traceOf(series: Series, isAcross: boolean, colours: Colours): object {
  const { kind, name, x, y, hover, tone, open, band, error } = series
  const color = tokenColour(STYLES[tone].token)
  const dash = STYLES[tone].dash.map((length) => `${length}px`).join(',') || 'solid'
  return {
    type: kind === 'bars' ? 'bar' : 'scatter',
    mode: kind === 'line' || kind === 'stairs' ? 'lines' : kind === 'steps' ? 'lines+markers' : 'markers',
    name: plainText(name),
    x: x.map(shown),
    y: y.map(shown),
    text: hover.map(plainText),
    textposition: 'none',
    hovertemplate: '%{text}<extra></extra>',
    line: {
      color,
      width: band ? 0 : 2,
      dash,
      ...(kind === 'steps' || kind === 'stairs' ? { shape: 'hv' } : {}),
    },
    ...(band ? { fill: 'tonexty', fillcolor: colours.line.replace(/^rgb\((.*)\)$/, 'rgba($1, 0.45)') } : {}),
    marker: {
      color,
      size: kind === 'steps' ? 5 : 9,
      symbol: `${STYLES[tone].symbol}${open ? '-open' : ''}`,
      ...(open ? { line: { width: 2 } } : {}),
    },
    ...(error ? { [isAcross ? 'error_x' : 'error_y']: errorOf(error, color) } : {}),
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
}

/** A chart in the chart library's terms, in the current colours. */
export function figureOf({ series, x, y, height }: FigureOptions) {
  const colours = currentColours()
  const isAcross = y.category === true
  const { top, bottom, left, right } = frameOf({ x, y })
  return {
    data: series.map((each) => traceOf(each, isAcross, colours)),
    layout: {
      autosize: true,
      height,
      margin: { l: left, r: right, t: top, b: bottom },
      paper_bgcolor: 'rgba(0,0,0,0)',
      plot_bgcolor: 'rgba(0,0,0,0)',
      font: { color: colours.ink, family: colours.family, size: 12 },
      hoverlabel: { bgcolor: colours.surface, font: { color: colours.text } },
      showlegend: false,
      // Two categories should be two bars, not two walls.
      bargap: gapBetween(series, x),
      // Dragging must scroll the page on touch screens.
      dragmode: false,
      xaxis: axisLayout(x, { grid: isAcross, colours }),
      yaxis: axisLayout(y, { grid: !isAcross, colours }),
    },
  }
}
