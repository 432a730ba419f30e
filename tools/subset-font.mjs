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

const font = await subsetFont(readFileSync(createRequire(import.meta.url).resolve(SOURCE)), CHARACTERS, {
  targetFormat: 'woff2',
  variationAxes: { wght: { min: 400, max: 700, default: 400 } },
})
writeFileSync(TARGET, font)
process.stdout.write(`${font.length} bytes\n`)
