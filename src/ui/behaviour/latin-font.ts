import url from '../fonts/inter-latin.woff2?url'

const INTER = new FontFace('Inter', `url(${url})`, {
  weight: '400 700',
  unicodeRange: `U+20-7E, U+A0, U+B0-B1, U+B7, U+BC-BE, U+C9, U+D7, U+E4, U+E7-EA, U+F1, U+F6-F7, U+FC, U+2013-2014,
    U+2018-2019, U+201C-201D, U+2026, U+2212`,
})

/**
 * Fetches the font of numbers and Latin letters, which then are as wide on every device. Returns what uses it: called before
 * the page is drawn, so that nothing is moved; if it is not there yet, the page keeps the system's font until it is opened
 * again.
 */
export function fetchLatinFont(): () => void {
  // Without it, everything is in the system's font.
  void INTER.load().catch(() => undefined)
  return () => {
    if (INTER.status === 'loaded') document.fonts.add(INTER)
  }
}
