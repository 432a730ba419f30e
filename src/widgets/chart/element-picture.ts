import { toPng, toSvg } from 'html-to-image'
import { contentsOf, type ChartPicture, type PictureFormat } from './picture.ts'

const PADDING = 16
/** Device pixels per CSS pixel. */
const SCALE = 2

/** Renders an element in full, even if it scrolls, with its caption below it, as a file's contents. */
export async function elementPicture(
  element: HTMLElement,
  { caption }: ChartPicture,
  format: PictureFormat,
): Promise<Blob> {
  const sheet = document.createElement('div')
  const copy = element.cloneNode(true) as HTMLElement
  const words = document.createElement('p')
  words.textContent = caption()
  Object.assign(words.style, { margin: `${PADDING}px 0 0`, fontSize: '12px' })
  sheet.append(copy, words)
  Object.assign(sheet.style, {
    position: 'fixed',
    left: '-10000px',
    top: '0',
    width: 'max-content',
    minWidth: `${element.clientWidth}px`,
    padding: `${PADDING}px`,
    background: 'var(--surface)',
    color: 'var(--ink)',
  })
  for (const part of copy.querySelectorAll<HTMLElement>('[role=region]'))
    Object.assign(part.style, { maxHeight: 'none', overflow: 'visible' })
  sheet.setAttribute('aria-hidden', 'true')
  element.parentElement!.append(sheet)
  try {
    // The caption is as wide as the element.
    words.style.maxWidth = `${copy.scrollWidth}px`
    // The style that hides the sheet on the page must not hide it in the picture.
    const options = { skipFonts: true, pixelRatio: SCALE, style: { position: 'static', left: '0' } }
    return contentsOf(await (format === 'svg' ? toSvg : toPng)(sheet, options), format)
  } finally {
    sheet.remove()
  }
}
