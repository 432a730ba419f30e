import Plotly from 'plotly.js/lib/core'
import { endsOf } from './ends.ts'
import type { figureOf } from './figure.ts'
import type { Axis, Series } from './series.ts'
import { STYLES } from './marks.ts'
import { plainText } from './plain-text.ts'
import { contentsOf, type ChartPicture, type PictureFormat } from './picture.ts'
import { frameOf } from './frame.ts'
import { tokenColour } from './token-colour.ts'

type Figure = ReturnType<typeof figureOf> & { series: readonly Series[]; x: Axis; y: Axis }

const WIDTH = 1200
const HEIGHT = 640
const TOP = 48
const LEFT = 100
const RIGHT = 32
const CAPTION_ROOM = 72
const CAPTION_CHARACTERS = 150
/** Of the labels beside the ends of lines, and of the piece of line before each. */
const LABELS_WIDTH = 240
const SAMPLE_WIDTH = 28

/** Wraps text into lines that fit the picture. */
function wrapped(text: string): string {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line.length + word.length > CAPTION_CHARACTERS) {
      lines.push(line)
      line = ''
    }
    line = line === '' ? word : `${line} ${word}`
  }
  return plainText([...lines, line].join('\n'))
}

/** Names and last values beside the ends of the lines, each after a piece of its line; in fractions of the plot area. */
function endLabels({ series, x, y }: Figure, height: number, width: number) {
  const frame = frameOf({ x, y })
  const ends = endsOf({ series, x, y, height: height + frame.top + frame.bottom })
  const fractionOf = (pixels: number): number => 1 - (pixels - frame.top) / height
  return {
    annotations: ends.map(({ names, text, top, height: ofLabel }) => ({
      text: plainText([...names, text].join('\n')),
      x: 1 + (SAMPLE_WIDTH + 16) / width,
      y: fractionOf(top + ofLabel / 2),
      xref: 'paper',
      yref: 'paper',
      xanchor: 'left',
      yanchor: 'middle',
      align: 'left',
      showarrow: false,
      font: { size: 13, color: tokenColour('ink') },
    })),
    shapes: ends.map(({ series: [first], top, height: ofLabel }) => {
      const { token, dash } = STYLES[series[first!]!.tone]
      return {
        type: 'line',
        xref: 'paper',
        yref: 'paper',
        x0: 1 + 8 / width,
        x1: 1 + (SAMPLE_WIDTH + 8) / width,
        y0: fractionOf(top + ofLabel / 2),
        y1: fractionOf(top + ofLabel / 2),
        line: {
          color: tokenColour(token),
          width: 2,
          dash: dash.map((length) => `${length}px`).join(',') || 'solid',
        },
      }
    }),
  }
}

/** Renders a figure at a fixed size in the colours of the page, with its caption, as a file's contents. */
export async function chartPicture(
  figure: Figure,
  { caption }: ChartPicture,
  format: PictureFormat,
): Promise<Blob> {
  const paper = tokenColour('surface')
  const below = frameOf(figure).bottom + 12
  const height = HEIGHT - TOP - below - CAPTION_ROOM
  const right = figure.series.some(({ end }) => end !== undefined) ? LABELS_WIDTH : RIGHT
  const { annotations, shapes } = endLabels(figure, height, WIDTH - LEFT - right)
  const address = await Plotly.toImage(
    {
      data: figure.data,
      layout: {
        ...figure.layout,
        width: WIDTH,
        height: HEIGHT,
        paper_bgcolor: paper,
        plot_bgcolor: paper,
        font: { ...figure.layout.font, family: 'sans-serif', size: 14 },
        margin: { l: LEFT, r: right, t: TOP, b: below + CAPTION_ROOM },
        shapes,
        annotations: [
          ...annotations,
          {
            text: wrapped(caption()),
            x: 0,
            y: 0,
            xref: 'paper',
            yref: 'paper',
            xanchor: 'left',
            yanchor: 'top',
            yshift: -below,
            align: 'left',
            showarrow: false,
            font: { size: 12, color: tokenColour('ink-soft') },
          },
        ],
      } as never,
    },
    { format, width: WIDTH, height: HEIGHT },
  )
  return contentsOf(address, format)
}
