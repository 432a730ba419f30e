// Lock files must name every platform's optional packages, so that `npm ci` works where a registry lacks some, with the
// hash of each package, so that none is installed unverified, and must not contain download addresses. `--write` adds
// what is missing; hashes are asked of the registry.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './lib/install.mjs'

const SYSTEMS = [
  'aix',
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
]
const CPUS = ['arm64', 'arm', 'x64', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'wasm32']

/** Optional packages that are named by packages of a lock file but have no entry in it. */
function missingOptional(lock) {
  const missing = []
  for (const [where, entry] of Object.entries(lock.packages)) {
    for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
      const nested = where ? `${where}/node_modules/${name}` : `node_modules/${name}`
      if (lock.packages[nested] || lock.packages[`node_modules/${name}`]) continue
      const words = name.split(/[-/]/)
      const os = SYSTEMS.filter((system) => words.includes(system))
      const cpu = CPUS.filter((each) => words.includes(each))
      // Only an exact version of a single-platform package can be written without querying the registry.
      if (os.length > 0 && /^\d/.test(version))
        missing.push({ name, entry: { version, cpu, os, optional: true } })
    }
  }
  return missing
}

/** Entries of a lock file that npm would install without comparing a hash. */
const unverified = (lock) =>
  Object.entries(lock.packages).filter(
    ([where, { integrity, link, inBundle }]) => where !== '' && !integrity && !link && !inBundle,
  )

const nameOf = (where) => where.slice(where.lastIndexOf('node_modules/') + 'node_modules/'.length)

/** The hash of a package's archive, as the registry states it; `undefined` if the registry lacks that version. */
function integrityOf(name, version) {
  const asked = ['view', `${name}@${version}`, 'dist.integrity']
  try {
    return execFileSync('npm', asked, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    return undefined
  }
}

const write = process.argv.includes('--write')
const problems = []
for (const folder of ['.', 'tools', 'bench/lighthouse', 'bench/peer']) {
  const path = join(ROOT, folder, 'package-lock.json')
  const text = readFileSync(path, 'utf8')
  if (text.includes('"resolved"')) problems.push(`${folder}/package-lock.json names download addresses`)
  const lock = JSON.parse(text)
  const missing = missingOptional(lock)
  if (write && (missing.length > 0 || unverified(lock).length > 0)) {
    for (const { name, entry } of missing) lock.packages[`node_modules/${name}`] = entry
    for (const [where, entry] of unverified(lock)) {
      const { version, ...rest } = entry
      const integrity = integrityOf(nameOf(where), version)
      if (integrity) lock.packages[where] = { version, integrity, ...rest }
    }
    lock.packages = Object.fromEntries(Object.entries(lock.packages).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`)
    continue
  }
  const lacking = [
    ...missing.map(({ name }) => name),
    ...unverified(lock).map(([where]) => `the hash of ${nameOf(where)}`),
  ]
  if (lacking.length > 0)
    problems.push(
      `${folder}/package-lock.json lacks ${lacking.join(', ')}: node tools/check-lockfiles.mjs --write`,
    )
}
if (problems.length > 0) {
  process.stderr.write(`${problems.join('\n')}\n`)
  process.exit(1)
}
