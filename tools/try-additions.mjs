// Tries the rows of ARCHITECTURE's "How to add" literally: makes one addition of each kind in a copy of the project, and
// requires that it touches exactly the files that its row names, that everything passes with them, and that something
// fails without each of them. Prints what it does; exits with 1 if something is not as the table says.
import { performance } from 'node:perf_hooks'
import { ADDITIONS } from './additions/cases.mjs'
import { faultsOf, filesOf, readRows } from './additions/rows.mjs'
import { Scratch } from './additions/scratch.mjs'

let passed = 0
let failed = 0
/** Prints one step, which is right if it has no faults. Returns whether it is. */
function step(text, faults = []) {
  const isRight = faults.length === 0
  if (isRight) passed += 1
  else failed += 1
  process.stdout.write(
    `  ${isRight ? 'ok  ' : 'FAIL'} ${text}\n${faults.map((fault) => `         ${fault}\n`).join('')}`,
  )
  return isRight
}

/** Requires that something fails when the last file of an entry is as it was before the addition. */
function tryWithout(scratch, entry, path, guard) {
  if (guard === undefined) return step(`without ${path}`, [`no test is named for \`${entry}\``])
  const addition = scratch.read(path)
  scratch.reset([path])
  const found = guard === 'types' ? scratch.typeErrors() : scratch.tests(...guard).failed
  scratch.write(path, addition)
  return step(
    `without ${path} there fails: ${found[0] ?? ''}`,
    found.length > 0 ? [] : ['nothing fails: the file need not be touched, or a test is missing'],
  )
}

/** Makes one addition, and leaves it in the copy if all is right. */
function tryAddition(scratch, rows, { row: name, id = '', like = '', add, tests, types, without }) {
  process.stdout.write(`\n${name}\n`)
  const row = rows.get(name)
  if (row === undefined) return step('has a row', ['ARCHITECTURE.md has none of that name'])
  const files = scratch.files()
  add(scratch)
  const touched = scratch.touched()
  const named = new Map(row.entries.map((entry) => [entry, filesOf(entry, { files, touched, id, like })]))
  for (const path of touched) process.stdout.write(`       touches ${path}\n`)
  const isNamed = step(
    `its row says ${row.count} files, and it touches these ${touched.length}`,
    faultsOf(row, named, touched),
  )
  const { passed: count, failed: names } = scratch.tests(...tests)
  const isWhole =
    step(`the tests of its lists pass: ${count}`, names) &&
    (!types || step('the types are right', scratch.typeErrors()))
  if (isNamed && isWhole)
    for (const entry of row.entries) tryWithout(scratch, entry, named.get(entry).at(-1), without[entry])
  if (isNamed && isWhole) scratch.commit()
  else scratch.reset()
  return isNamed && isWhole
}

const started = performance.now()
const scratch = new Scratch()
try {
  const rows = readRows(scratch.read('ARCHITECTURE.md'))
  process.stdout.write(`A copy of ${scratch.files().length} files\n`)
  for (const addition of ADDITIONS) tryAddition(scratch, rows, addition)
  process.stdout.write('\nall of them together\n')
  step('the types are right', scratch.typeErrors())
  const unit = scratch.tests('--project', 'unit')
  step(`all unit tests pass: ${unit.passed}`, unit.failed)
} finally {
  scratch.remove()
}
const seconds = Math.round((performance.now() - started) / 1000)
process.stdout.write(`\n${passed} passed, ${failed} failed in ${seconds} s\n`)
process.exitCode = failed === 0 ? 0 : 1
