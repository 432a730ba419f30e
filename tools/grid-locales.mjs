// Writes the grid's texts for the languages of domain/languages.ts from the vendor's package: importing them from it would
// ship all in one chunk. Only texts of used parts are included. Run as `node --import tsx tools/grid-locales.mjs` after an
// update of the package, and for a new language.
import { writeFileSync } from 'node:fs'
import { LANGUAGE_RULES } from '../domain/languages.ts'

const vendor = await import('@ag-grid-community/locale')

const USED =
  /^(aria|filter|applyFilter|resetFilter|clearFilter|cancelFilter|equals|notEqual|lessThan|greaterThan|inRange|number|noRowsToShow|loading|page|to$|of$|more$|blank|notBlank|sort|column)/
const UNUSED = /pivot|group|chart|aggreg|toolPanel|advanced|clipboard|excel|sparkline|formula|cellSelection/i

for (const { id, gridTexts } of LANGUAGE_RULES) {
  if (gridTexts === null) continue
  const texts = vendor[gridTexts]
  if (texts === undefined) throw new Error(`the grid has no texts ${gridTexts}`)
  const kept = Object.entries(texts).filter(([key]) => USED.test(key) && !UNUSED.test(key))
  const file = new URL(`../src/i18n/grid-${id}.json`, import.meta.url)
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(kept), null, 2)}\n`)
}
