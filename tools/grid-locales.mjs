// Writes the grid's texts for the two Chinese languages from the vendor's package: importing both from it would ship
// them in one chunk. Only texts of used parts are included. Run after an update of the package.
import { writeFileSync } from 'node:fs'
import { AG_GRID_LOCALE_CN, AG_GRID_LOCALE_HK } from '@ag-grid-community/locale'

const USED =
  /^(aria|filter|applyFilter|resetFilter|clearFilter|cancelFilter|equals|notEqual|lessThan|greaterThan|inRange|number|noRowsToShow|loading|page|to$|of$|more$|blank|notBlank|sort|column)/
const UNUSED = /pivot|group|chart|aggreg|toolPanel|advanced|clipboard|excel|sparkline|formula|cellSelection/i

for (const [language, texts] of Object.entries({
  'zh-Hant': AG_GRID_LOCALE_HK,
  'zh-Hans': AG_GRID_LOCALE_CN,
})) {
  const kept = Object.entries(texts).filter(([key]) => USED.test(key) && !UNUSED.test(key))
  const file = new URL(`../src/i18n/grid-${language}.json`, import.meta.url)
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(kept), null, 2)}\n`)
}
