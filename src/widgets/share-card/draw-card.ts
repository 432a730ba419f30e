/** What a share card shows: only texts that the reader sees on the page, already in the reader's language. */
export interface CardContent {
  title: string
  /** Below the title, each wrapped to lines of its own. */
  facts: readonly string[]
  /** Names and values side by side. */
  figures: readonly (readonly [name: string, value: string])[]
  table: CardTable | null
}

type ColumnKind = 'name' | 'text' | 'figure'

interface CardTable {
  /** Names and texts are at the left, in the place that the figures leave; those are at the right of their columns. */
  columns: readonly { head: string; kind: ColumnKind }[]
  rows: readonly (readonly string[])[]
}

/** What every card says: whose it is, where and when it was made, and that it is no advice. */
export interface CardFrame {
  /** The site's address, without anything that tells who shares it. */
  site: string
  made: string
  /** Sentences, each from a line of its own. */
  notices: readonly string[]
  /** Of the page, as CSS has it. */
  fontFamily: string
}

/** What drawing needs of a canvas. */
export type CardContext = Pick<
  CanvasRenderingContext2D,
  | 'fillStyle'
  | 'font'
  | 'textAlign'
  | 'textBaseline'
  | 'fillRect'
  | 'fillText'
  | 'measureText'
  | 'beginPath'
  | 'roundRect'
  | 'arc'
  | 'fill'
>

/** Pixels. Its width suits the feeds and chats that cards are shared in. */
export const CARD_WIDTH = 1080
const EDGE = 64
const GAP = 28
const LINE = 2
const ROW = 58
const HEAD_ROW = 48
const FIGURE = 118
const VALUE_SIZE = 40
const FIGURES_IN_A_ROW = 4
const BAND = 112
const TITLE = 56
const FACT = 42
const MARK = 56

/** Those of the site in light colours: a card looks the same whoever shares it. */
const COLOURS = {
  paper: '#f6f4ef',
  surface: '#ffffff',
  line: '#dad5c8',
  ink: '#1b211e',
  soft: '#575f5a',
  brand: '#1d4f3f',
  onBrand: '#f6f4ef',
  dot: '#e2b04a',
}

interface Pen {
  context: CardContext
  family: string
}

function font({ context, family }: Pen, size: number, weight = 400): void {
  context.font = `${weight} ${size}px ${family}`
}

/** A text that is at most so wide, cut with an ellipsis otherwise. */
function fitted(context: CardContext, text: string, width: number): string {
  if (context.measureText(text).width <= width) return text
  const letters = Array.from(text)
  let low = 0
  let high = letters.length
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (context.measureText(`${letters.slice(0, middle).join('')}…`).width <= width) low = middle
    else high = middle - 1
  }
  return `${letters.slice(0, low).join('')}…`
}

/** What stays on one line: a word or a Chinese character, with the marks that open before it and close after it. */
const UNBROKEN =
  /[\p{Ps}\p{Pi}]*(?:\p{Script=Han}|[^\s\p{Script=Han}\p{Ps}\p{Pi}]+)[\p{Pe}\p{Pf}\p{Po}]*\s*|\s+|./gu

/** Lines that are at most so wide, broken between words and between Chinese characters. */
function wrapped(context: CardContext, text: string, width: number): string[] {
  const parts = text.match(UNBROKEN) ?? []
  const lines: string[] = []
  let line = ''
  for (const part of parts) {
    if (line !== '' && context.measureText(line + part.trimEnd()).width > width) {
      lines.push(line.trimEnd())
      line = ''
    }
    line += part
  }
  if (line.trim() !== '') lines.push(line.trimEnd())
  return lines.map((each) => fitted(context, each, width))
}

const INNER = CARD_WIDTH - 2 * EDGE

const setTitle = (pen: Pen): void => font(pen, 44, 700)
const setFact = (pen: Pen): void => font(pen, 28)

const setNotice = (pen: Pen): void => font(pen, 24)

/** The lines of the title, the facts and the notices, and the height of the whole card in pixels. */
function layOut(pen: Pen, content: CardContent, frame: CardFrame) {
  setTitle(pen)
  const title = wrapped(pen.context, content.title, INNER)
  setFact(pen)
  const facts = content.facts
    .filter((fact) => fact !== '')
    .flatMap((fact) => wrapped(pen.context, fact, INNER))
  const figures = Math.ceil(content.figures.length / FIGURES_IN_A_ROW) * FIGURE
  const table = content.table === null ? 0 : HEAD_ROW + content.table.rows.length * ROW + GAP
  setNotice(pen)
  const notices = [...frame.notices, frame.site].flatMap((each) => wrapped(pen.context, each, INNER))
  const texts = title.length * TITLE + (facts.length + notices.length) * FACT
  return { title, facts, notices, height: BAND + GAP + texts + GAP + figures + table + EDGE / 2 }
}

/** The height in pixels that a card needs. */
export const cardHeight = (context: CardContext, content: CardContent, frame: CardFrame): number =>
  layOut({ context, family: frame.fontFamily }, content, frame).height

/** Draws a card on a canvas of `CARD_WIDTH` and `cardHeight`. */
export function drawCard(context: CardContext, content: CardContent, frame: CardFrame): void {
  const pen: Pen = { context, family: frame.fontFamily }
  const { title, facts, notices, height } = layOut(pen, content, frame)
  context.fillStyle = COLOURS.paper
  context.fillRect(0, 0, CARD_WIDTH, height)
  drawBand(pen, frame)
  let y = BAND + GAP
  context.fillStyle = COLOURS.ink
  setTitle(pen)
  y = drawLines(pen, title, y, TITLE)
  context.fillStyle = COLOURS.soft
  setFact(pen)
  y = drawLines(pen, facts, y, FACT) + GAP
  y = drawFigures(pen, content.figures, y)
  if (content.table !== null) y = drawTable(pen, content.table, y) + GAP
  context.fillStyle = COLOURS.soft
  setNotice(pen)
  drawLines(pen, notices, y, FACT)
}

/** Draws lines of text below each other, in the font and colour that are set. Returns where they end. */
function drawLines({ context }: Pen, lines: readonly string[], from: number, height: number): number {
  context.textAlign = 'left'
  for (const [index, line] of lines.entries())
    context.fillText(line, EDGE, from + index * height + height / 2)
  return from + lines.length * height
}

/** The mark and the name of the site, and when the card was made. */
function drawBand(pen: Pen, { made }: CardFrame): void {
  const { context } = pen
  context.fillStyle = COLOURS.brand
  context.fillRect(0, 0, CARD_WIDTH, BAND)
  const top = (BAND - MARK) / 2
  const unit = MARK / 64
  context.fillStyle = COLOURS.onBrand
  // The letter and the dot of the icon, `public/icon.svg`.
  for (const [x, y, width, height] of [
    [20, 14, 9, 36],
    [20, 14, 26, 8],
    [20, 29, 23, 8],
  ] as const)
    context.fillRect(EDGE + (x - 20) * unit, top + y * unit, width * unit, height * unit)
  context.fillStyle = COLOURS.dot
  context.beginPath()
  context.arc(EDGE + 27 * unit, top + 47 * unit, 5 * unit, 0, 2 * Math.PI)
  context.fill()
  context.textBaseline = 'middle'
  context.fillStyle = COLOURS.onBrand
  context.textAlign = 'left'
  font(pen, 38, 700)
  context.fillText('Furlong', EDGE + MARK, BAND / 2)
  context.textAlign = 'right'
  font(pen, 26)
  context.fillText(made, CARD_WIDTH - EDGE, BAND / 2)
}

function drawFigures(pen: Pen, figures: CardContent['figures'], top: number): number {
  const { context } = pen
  const width = INNER / Math.min(FIGURES_IN_A_ROW, Math.max(1, figures.length))
  context.textAlign = 'left'
  for (const [index, [name, value]] of figures.entries()) {
    const x = EDGE + (index % FIGURES_IN_A_ROW) * width
    const y = top + Math.floor(index / FIGURES_IN_A_ROW) * FIGURE
    context.fillStyle = COLOURS.soft
    font(pen, 24)
    context.fillText(fitted(context, name, width - GAP / 2), x, y + 16)
    context.fillStyle = COLOURS.ink
    const room = width - GAP / 2
    font(pen, VALUE_SIZE, 700)
    // A number is made smaller, never cut: it would be another one.
    font(pen, Math.floor(Math.min(VALUE_SIZE, (VALUE_SIZE * room) / context.measureText(value).width)), 700)
    context.fillText(value, x, y + 62)
  }
  return top + Math.ceil(figures.length / FIGURES_IN_A_ROW) * FIGURE
}

function drawTable(pen: Pen, { columns, rows }: CardTable, top: number): number {
  const { context } = pen
  context.fillStyle = COLOURS.surface
  context.beginPath()
  context.roundRect(EDGE - GAP, top, INNER + 2 * GAP, HEAD_ROW + rows.length * ROW, 16)
  context.fill()
  const setHead = (): void => font(pen, 22)
  const setCell = (kind: ColumnKind): void => font(pen, 28, kind === 'name' ? 600 : 400)
  const widths = columns.map(({ head, kind }, index) => {
    if (kind !== 'figure') return 0
    setHead()
    const ofHead = context.measureText(head).width
    setCell(kind)
    return Math.max(ofHead, ...rows.map((row) => context.measureText(row[index]!).width)) + GAP
  })
  const names = columns.filter(({ kind }) => kind !== 'figure').length
  const rest = (INNER - widths.reduce((sum, width) => sum + width, 0)) / Math.max(1, names)
  const drawRow = (cells: readonly string[], middle: number, set: (kind: ColumnKind) => void): void => {
    let x = EDGE
    for (const [index, { kind }] of columns.entries()) {
      const width = kind === 'figure' ? widths[index]! : rest
      set(kind)
      // Before a name, a figure stands at the left, as on the card of a race.
      const isLeft = kind !== 'figure' || index === 0
      context.textAlign = isLeft ? 'left' : 'right'
      context.fillText(fitted(context, cells[index]!, width - GAP / 2), isLeft ? x : x + width, middle)
      x += width
    }
  }
  context.fillStyle = COLOURS.soft
  drawRow(
    columns.map(({ head }) => head),
    top + HEAD_ROW / 2,
    setHead,
  )
  for (const [index, row] of rows.entries()) {
    const y = top + HEAD_ROW + index * ROW
    context.fillStyle = COLOURS.line
    context.fillRect(EDGE - GAP, y, INNER + 2 * GAP, LINE)
    context.fillStyle = COLOURS.ink
    drawRow(row, y + ROW / 2, setCell)
  }
  return top + HEAD_ROW + rows.length * ROW
}

/** A card as a PNG file. Throws if the browser gives no canvas or no picture. */
export async function cardPicture(name: string, content: CardContent, frame: CardFrame): Promise<File> {
  const canvas = document.createElement('canvas')
  const context = canvas.getContext('2d')
  if (context === null) throw new Error('no canvas')
  canvas.width = CARD_WIDTH
  canvas.height = Math.ceil(cardHeight(context, content, frame))
  drawCard(context, content, frame)
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'))
  if (blob === null) throw new Error('no picture')
  return new File([blob], `${name}.png`, { type: 'image/png' })
}
