import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { specsFor } from './browser-map.mjs'
import { CHECKS_OF, failedChecks } from './checks.mjs'
import { ROOT } from './install.mjs'
import { nothing, printEnd, runLevels } from './levels.mjs'
import { buildProgram } from './program.mjs'

/** Builds the site in a process of its own, so that this one goes on; throws an error if it cannot. */
async function buildSiteBeside() {
  const program = `import { buildSite } from '${new URL('site.mjs', import.meta.url)}'; buildSite()`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: 'inherit' })
  const [status] = await once(child, 'exit')
  if (status !== 0) throw new Error('the site could not be built')
}

/** Runs the checks of a cut; each counts as one test. */
async function runChecks(cut) {
  const start = performance.now()
  const names = CHECKS_OF[cut]
  const failed = await failedChecks(names)
  return {
    ...nothing(),
    passed: names.length - failed.length,
    failed: failed.length,
    failures: failed.map((name) => ({ name, text: 'see above' })),
    seconds: (performance.now() - start) / 1000,
  }
}

/** Runs `work` with the variables of a folder in which all levels find the databases that the first test to need one made. */
function withTemplates(work) {
  const templates = mkdtempSync(join(tmpdir(), 'furlong-templates-'))
  // Ctrl-C ends the runner, and this process once it has removed the folder.
  process.on('SIGINT', () => {})
  try {
    return work({ FURLONG_TEST_TEMPLATES: templates })
  } finally {
    rmSync(templates, { recursive: true, force: true })
  }
}

/** Ends a process that leads a group, and all others of its group, if they have not ended yet. */
function endGroup(pid) {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    if (error.code !== 'ESRCH') throw error
  }
}

/**
 * Begins the first start that the browser's tests examine, beside the tests of the other levels; runs `work` with the
 * variables that say where it is.
 */
function withFirstStart(work) {
  const folder = mkdtempSync(join(tmpdir(), 'furlong-browser-'))
  const program = join(ROOT, 'tests/browser/first-start.ts')
  // In a group of its own, to which its server belongs too.
  const child = spawn(process.execPath, ['--import', 'tsx', program, folder], {
    cwd: ROOT,
    stdio: 'inherit',
    detached: true,
  })
  try {
    return work({ FURLONG_TEST_FIRST_START: folder })
  } finally {
    endGroup(child.pid)
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Levels of each cut; unit tests are all in the fast one (`tests/unit/test-tags.test.ts`). */
const LEVELS_OF = {
  fast: ['unit', 'component', 'service', 'browser'],
  rest: ['component', 'service', 'browser'],
  all: ['unit', 'component', 'service', 'browser'],
  soak: ['service'],
}

/**
 * Runs a cut of the tests, with its checks; the soak has none, and neither has a part of the rest. `system` is the
 * installation of what they need. The last line of output is the count; returns whether nothing failed. `words` are
 * further arguments of both runners, such as `--shard 1/4`.
 */
export async function runCut(cut, system, words = []) {
  const isChecked = cut in CHECKS_OF && (cut !== 'rest' || words.length === 0)
  // Checks and the build use one core each for most of their time, and installing waits for the network.
  const [checks] = await Promise.all([isChecked ? runChecks(cut) : undefined, buildSiteBeside(), system])
  buildProgram()
  const hasBrowser = LEVELS_OF[cut].includes('browser')
  const levels = LEVELS_OF[cut].filter((level) => level !== 'browser')
  const run = (variables) => ({
    ...runLevels(levels, cut, { variables, words: ['run', ...words] }),
    ...(hasBrowser ? runLevels(['browser'], cut, { variables, words }) : {}),
  })
  return withTemplates((templates) =>
    printEnd({
      ...(checks ? { checks } : {}),
      ...(hasBrowser ? withFirstStart((start) => run({ ...templates, ...start })) : run(templates)),
    }),
  )
}

const git = (...args) => {
  const { status, stdout } = spawnSync('git', args, { cwd: ROOT, encoding: 'utf8' })
  return status === 0 ? stdout.split('\n').filter((line) => line !== '') : null
}

/**
 * Paths, relative to the root, of the files that differ from where this branch left `main`, also those that are not
 * committed or not known to git. Throws an error where there is no such branch.
 */
function changedFiles() {
  const [base] = git('merge-base', 'HEAD', 'origin/main') ?? git('merge-base', 'HEAD', 'main') ?? []
  if (base === undefined) throw new Error('there is no branch main to compare with')
  return [
    ...git('diff', '--name-only', '--no-renames', base),
    ...git('ls-files', '--others', '--exclude-standard'),
  ]
}

/** Files whose importers start the program of the server, which no import shows. */
const STARTERS = ['tools/lib/program.mjs', 'server/process/program.ts']
const PROGRAM_SOURCES = /^(analytics|contract|domain|server)\//m

/**
 * Runs the checks and the tests that a change since `main` can affect: all unit tests, since many read files; of
 * components and services those whose imports lead to a changed file; of the browser those of `browser-map.mjs`.
 */
export async function runChanged(system) {
  const files = changedFiles()
  const specs = specsFor(files)
  if (PROGRAM_SOURCES.test(files.join('\n'))) files.push(...STARTERS)
  const [checks] = await Promise.all([runChecks('all'), buildSiteBeside(), system])
  buildProgram()
  return withTemplates((variables) => {
    const related = {
      variables,
      words: ['related', '--run', '--passWithNoTests', ...files],
      mayBeEmpty: true,
    }
    const run = (levels, options) => runLevels(levels, 'all', options)
    return printEnd({
      checks,
      ...run(['unit'], { variables }),
      ...run(['component', 'service'], related),
      ...(specs === 'all' ? run(['browser'], { variables }) : {}),
      ...(specs !== 'all' && specs.length > 0
        ? run(['browser'], { variables, words: specs.map((name) => `/${name}.spec.ts`) })
        : {}),
    })
  })
}
