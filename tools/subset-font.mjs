/**
 * Writes `src/ui/fonts/inter-latin.woff2`: the characters of Inter (SIL Open Font License) that numbers, English texts and
 * romanised names have, in its weights 400 to 700. Run manually when Inter has a new version: `node tools/subset-font.mjs`.
 * What is missing, Chinese above all, is drawn in the system's font.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import subsetFont from 'subset-font'

const TARGET = fileURLToPath(new URL('../src/ui/fonts/inter-latin.woff2', import.meta.url))
const SOURCE = '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'

const ascii = Array.from({ length: 0x7f - 0x20 }, (_, at) => String.fromCodePoint(0x20 + at)).join('')
const CHARACTERS = `${ascii}\u00a0·–—‘’“”…−×÷±°½¼¾éèêçñöüäÉ`

/** The index of the hyphen's glyph, by the character map of format 4, which maps the first Unicode plane. */
function hyphenGlyph(font, cmap) {
  const subtables = Array.from(
    { length: font.readUInt16BE(cmap + 2) },
    (_, at) => cmap + font.readUInt32BE(cmap + 8 + 8 * at),
  )
  const map = subtables.find((at) => font.readUInt16BE(at) === 4)
  const count = font.readUInt16BE(map + 6) / 2
  const code = '-'.codePointAt(0)
  for (let at = 0; at < count; at += 1) {
    const [start, end] = [
      font.readUInt16BE(map + 16 + 2 * (count + at)),
      font.readUInt16BE(map + 14 + 2 * at),
    ]
    if (code < start || code > end) continue
    const offsetAt = map + 16 + 2 * (3 * count + at)
    const offset = font.readUInt16BE(offsetAt)
    const delta = font.readInt16BE(map + 16 + 2 * (2 * count + at))
    return offset === 0 ? (code + delta) & 0xffff : font.readUInt16BE(offsetAt + offset + 2 * (code - start))
  }
  throw new Error('the font has no hyphen')
}

/** The glyphs that a coverage table lists, in order. */
function coveredGlyphs(font, coverage) {
  const count = font.readUInt16BE(coverage + 2)
  if (font.readUInt16BE(coverage) === 1)
    return Array.from({ length: count }, (_, at) => font.readUInt16BE(coverage + 4 + 2 * at))
  return Array.from({ length: count }, (_, at) => coverage + 4 + 6 * at).flatMap((range) => {
    const start = font.readUInt16BE(range)
    return Array.from({ length: font.readUInt16BE(range + 2) - start + 1 }, (_, at) => start + at)
  })
}

/**
 * Tabular figures would make a hyphen as wide as a digit too, in every word that has one: its substitute becomes itself.
 * Offsets are those of the OpenType specification's tables GSUB and cmap.
 */
function keepHyphen(font) {
  const tables = new Map(
    Array.from({ length: font.readUInt16BE(4) }, (_, at) => 12 + 16 * at).map((at) => [
      font.toString('latin1', at, at + 4),
      font.readUInt32BE(at + 8),
    ]),
  )
  const [gsub, hyphen] = [tables.get('GSUB'), hyphenGlyph(font, tables.get('cmap'))]
  const features = gsub + font.readUInt16BE(gsub + 6)
  const lookups = gsub + font.readUInt16BE(gsub + 8)
  for (let at = 0; at < font.readUInt16BE(features); at += 1) {
    const record = features + 2 + 6 * at
    if (font.toString('latin1', record, record + 4) !== 'tnum') continue
    const feature = features + font.readUInt16BE(record + 4)
    const lookup = lookups + font.readUInt16BE(lookups + 2 + 2 * font.readUInt16BE(feature + 4))
    const table = lookup + font.readUInt16BE(lookup + 6)
    if (font.readUInt16BE(lookup) !== 1 || font.readUInt16BE(table) !== 2)
      throw new Error('tabular figures are not a list of single substitutes')
    const index = coveredGlyphs(font, table + font.readUInt16BE(table + 2)).indexOf(hyphen)
    if (index >= 0) font.writeUInt16BE(hyphen, table + 6 + 2 * index)
  }
  return font
}

const subset = await subsetFont(readFileSync(createRequire(import.meta.url).resolve(SOURCE)), CHARACTERS, {
  targetFormat: 'sfnt',
  variationAxes: { wght: { min: 400, max: 700, default: 400 } },
})
const font = await subsetFont(keepHyphen(Buffer.from(subset)), CHARACTERS, { targetFormat: 'woff2' })
writeFileSync(TARGET, font)
process.stdout.write(`${font.length} bytes\n`)
