// Every package that runs at `npm start` must accept each version of Node that package.json promises, except those listed
// here with the reason why they work; an exception that is not needed any more fails.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './lib/install.mjs'
import { isInRange, oldestOf, SUPPORTED_NODE } from './lib/node-range.mjs'

/** Why a package that asks for a newer Node works on the oldest one that we promise. */
const EXCEPTIONS = {
  '@img/sharp-win32-ia32': 'for 32-bit Windows, of which Node has no build from 22 on',
  '@mapbox/jsonlint-lines-primitives':
    'checks map styles for plotly.js, whose map charts are not used; bundled for the browser, if at all',
  'content-disposition': 'an ES module of plain text functions; Node 20.19 can require ES modules',
  cookie: 'an ES module of plain text functions; Node 20.19 can require ES modules',
  'plotly.js': 'bundled for the browser; Node only reads its files',
}

const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'))
const versions = oldestOf(SUPPORTED_NODE)
const problems = []
const needed = new Set()
for (const [where, { dev, version, engines }] of Object.entries(packages)) {
  if (where === '' || dev || engines?.node === undefined) continue
  const refused = versions.filter((each) => !isInRange(each, engines.node))
  if (refused.length === 0) continue
  const name = where.slice(where.lastIndexOf('node_modules/') + 'node_modules/'.length)
  if (name in EXCEPTIONS) needed.add(name)
  else problems.push(`${name} ${version} wants Node ${engines.node}, and we promise ${refused.join(', ')}`)
}
for (const name of Object.keys(EXCEPTIONS))
  if (!needed.has(name))
    problems.push(`${name} needs no exception any more: remove it from tools/check-engines.mjs`)
if (problems.length > 0) {
  process.stderr.write(`${problems.join('\n')}\n`)
  process.exit(1)
}
