import { readFileSync } from 'node:fs'

/** The versions of Node that this runs on, as `engines` of package.json says: a range of the npm registry. */
export const SUPPORTED_NODE = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  .engines.node

const parts = (version) => [0, 1, 2].map((at) => Number(version.split('.')[at] ?? 0))

function compare(a, b) {
  const [left, right] = [parts(a), parts(b)]
  const at = left.findIndex((part, index) => part !== right[index])
  return at < 0 ? 0 : left[at] - right[at]
}

/** Whether a version such as `20.19.0` fulfils one comparator such as `>=20`, `^22.13.0` or `20`. */
function fulfils(version, comparator) {
  if (comparator === '*') return true
  const [, sign, wanted] = /^(>=|<=|>|<|\^|)[v=]?(\d+(?:\.\d+){0,2})(?:\.x)?$/.exec(comparator) ?? []
  if (wanted === undefined) throw new Error(`unknown range of versions: ${comparator}`)
  const order = compare(version, wanted)
  if (sign === '>=') return order >= 0
  if (sign === '<=') return order <= 0
  if (sign === '>') return order > 0
  if (sign === '<') return order < 0
  const isSameMajor = parts(version)[0] === parts(wanted)[0]
  return sign === '^' ? isSameMajor && order >= 0 : isSameMajor && (!wanted.includes('.') || order === 0)
}

/** Whether a version is in a range such as `^20.19.0 || >=22.12.0`. Throws on syntax that no package here has. */
export const isInRange = (version, range) =>
  range.split('||').some((all) =>
    all
      .trim()
      .replaceAll(/([<>=^]) +/g, '$1')
      .split(/ +/)
      .every((comparator) => fulfils(version, comparator)),
  )

/** The oldest version of each part of a range: `20.19.0` and `24.0.0` of `^20.19.0 || >=24`. */
export const oldestOf = (range) =>
  range.split('||').map((part) => parts(/\d+(?:\.\d+)*/.exec(part)[0]).join('.'))
