import url from '../fonts/inter-latin.woff2?url'

/** The characters are those of `../latin-fallback.css`. */
const INTER = new FontFace('Inter', `url(${url})`, {
  weight: '400 700',
  unicodeRange: `U+20-7E, U+A0, U+B0-B1, U+B7, U+BC-BE, U+C9, U+D7, U+E4, U+E7-EA, U+F1, U+F6-F7, U+FC, U+2013-2014,
    U+2018-2019, U+201C-201D, U+2026, U+2212`,
})

/**
 * Fetches the font of numbers and Latin letters, and uses it once it has arrived. Until then the system's own letters are as
 * wide, so that nothing moves; without it, they remain.
 */
export function fetchLatinFont(): void {
  void INTER.load()
    .then(() => document.fonts.add(INTER))
    .catch(() => undefined)
}
