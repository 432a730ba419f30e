// Applies the rules of dependency-rules.cjs to every import, types included, fails if two folders import each other or if
// a folder is too wide, and prints the floors that the imports form.
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { cruise, format } from 'dependency-cruiser'
import { ROOT } from './lib/install.mjs'

process.chdir(ROOT)
const { forbidden, options } = createRequire(import.meta.url)('./dependency-rules.cjs')
const PACKAGES = ['domain', 'contract', 'analytics', 'workers', 'src', 'server']

const { output } = await cruise([...PACKAGES, 'bench'], {
  ...options,
  ruleSet: { forbidden },
  validate: true,
})
const { output: report, exitCode } = await format(output, { outputType: 'err' })

/** The folders of the packages that each folder imports. */
const imports = new Map()
for (const { source, dependencies } of output.modules) {
  const from = dirname(source)
  for (const { resolved } of dependencies) {
    const to = dirname(resolved)
    if (from === to || ![source, resolved].every((path) => PACKAGES.includes(path.split('/')[0]))) continue
    imports.set(from, (imports.get(from) ?? new Set()).add(to))
    if (!imports.has(to)) imports.set(to, new Set())
  }
}

const pairs = [...imports].flatMap(([from, targets]) =>
  [...targets].filter((to) => from < to && imports.get(to).has(from)).map((to) => `${from} and ${to}`),
)

/** A folder of the site or the server with more code files has a second subject. */
const MOST_FILES = 25
const sizes = new Map()
for (const { source } of output.modules)
  if (/^(src|server)\/.*\.tsx?$/.test(source))
    sizes.set(dirname(source), (sizes.get(dirname(source)) ?? 0) + 1)
const wide = [...sizes].filter(([, files]) => files > MOST_FILES)

/** The floor of a folder is one above the highest that it imports. */
const floors = new Map()
function floorOf(folder, below = []) {
  if (below.includes(folder)) return 0
  if (!floors.has(folder)) {
    const lower = [...imports.get(folder)].map((each) => floorOf(each, [...below, folder]))
    floors.set(folder, Math.max(0, ...lower) + 1)
  }
  return floors.get(folder)
}
for (const folder of imports.keys()) floorOf(folder)
const named = Map.groupBy
  ? Map.groupBy([...floors], ([, floor]) => floor)
  : [...floors].reduce(
      (found, entry) => found.set(entry[1], [...(found.get(entry[1]) ?? []), entry]),
      new Map(),
    )
for (const [floor, folders] of [...named].toSorted(([a], [b]) => a - b))
  process.stdout.write(
    `floor ${floor}: ${folders
      .map(([folder]) => folder)
      .toSorted()
      .join(', ')}\n`,
  )

process.stdout.write(report)
for (const pair of pairs) process.stdout.write(`${pair} import each other\n`)
for (const [folder, files] of wide)
  process.stdout.write(`${folder} has ${files} code files, and ${MOST_FILES} are the most\n`)
process.exit(exitCode > 0 || pairs.length > 0 || wide.length > 0 ? 1 : 0)
