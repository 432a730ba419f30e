import Plotly from 'plotly.js/lib/core'
import { plainText } from './plain-text.ts'
import { contentsOf, type ChartPicture, type PictureFormat } from './picture.ts'

interface Figure {
  data: readonly object[]
  layout: Readonly<Record<string, unknown>>
}

const WIDTH = 1200
const HEIGHT = 640
const CAPTION_ROOM = 72
/** Of the title below the horizontal axis. */
const TITLE_ROOM = 32
const CAPTION_CHARACTERS = 150

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

/**
 * Renders a figure at a fixed size, with its caption, as a file's contents. `ink`,
 * `paper`: colours of the page.
 */
export async function chartPicture(
  { data, layout }: Figure,
  { caption }: ChartPicture,
  format: PictureFormat,
  colours: { ink: string; paper: string },
): Promise<Blob> {
  const titled = (layout['xaxis'] as { title?: { text?: string } } | undefined)?.title?.text ? TITLE_ROOM : 0
  const address = await Plotly.toImage(
    {
      data: data as never,
      layout: {
        ...layout,
        width: WIDTH,
        height: HEIGHT,
        paper_bgcolor: colours.paper,
        plot_bgcolor: colours.paper,
        font: { ...(layout['font'] as object), family: 'sans-serif', size: 14 },
        margin: { l: 80, r: 32, t: 48, b: 40 + titled + CAPTION_ROOM },
        annotations: [
          {
            text: wrapped(caption()),
            x: 0,
            y: 0,
            xref: 'paper',
            yref: 'paper',
            xanchor: 'left',
            yanchor: 'top',
            yshift: -36 - titled,
            align: 'left',
            showarrow: false,
            font: { size: 12, color: colours.ink },
          },
        ],
      } as never,
    },
    { format, width: WIDTH, height: HEIGHT },
  )
  return contentsOf(address, format)
}
