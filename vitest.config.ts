import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { currentCut } from './tools/lib/cuts.mjs'
import site from './vite.config.ts'

const { name: cut, filter } = currentCut()
const SOAK = cut === 'soak'
const HOUR_MS = 3_600_000

/** The site's own plugins, which give components their texts, and its constants. */
const { plugins = [], define } = site({ command: 'serve', mode: 'test' })
const ownPlugins = plugins
  .flat()
  .filter((plugin) => plugin && 'name' in plugin && plugin.name.startsWith('furlong-'))

/** Files without any test of the fast cut, which their first line says: loading them took a tenth of its time. */
const LEFT_OUT =
  cut === 'fast'
    ? readdirSync('tests', { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.test\.tsx?$/.test(name))
        .map((name) => join('tests', name))
        .filter((path) => /^\/\/ @module-tag (rest|soak)$/m.test(readFileSync(path, 'utf8').slice(0, 40)))
    : []

/** Takes ten minutes: last, it would keep one core waiting. */
const LONGEST = /build\/additions\.test\.ts$/
/** Copies the database that `agreement.test.ts` makes, which takes half a minute. */
const WAITS = /sql\/figures\.test\.ts$/

/** Vitest's own order, but for the longest file and for one that would wait for another: a core that waits does nothing. */
class NoCoreWaits extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const is = (name: RegExp) => sorted.filter(({ moduleId }) => name.test(moduleId))
    const others = sorted.filter(({ moduleId }) => !LONGEST.test(moduleId) && !WAITS.test(moduleId))
    return [...is(LONGEST), ...others, ...is(WAITS)]
  }
}

export default defineConfig({
  test: {
    // Databases are large: more than one worker a core only swaps.
    pool: 'forks',
    maxWorkers: 2,
    // Loading the server anew for each of 120 files took 90 s, and jsdom and the page’s packages for each of components
    // longer; no test replaces a module.
    isolate: false,
    tags: [
      { name: 'rest', description: 'left out of npm test' },
      { name: 'soak', description: 'only in npm run soak', timeout: 2 * HOUR_MS },
      { name: 'longer', description: 'in npm run soak once more, with more repetitions' },
    ],
    tagsFilter: [filter],
    exclude: [...configDefaults.exclude, ...LEFT_OUT],
    sequence: { sequencer: NoCoreWaits },
    // Files that tests read, or that make what they run, beside those that they import.
    forceRerunTriggers: [
      '**/package.json',
      '**/package-lock.json',
      '**/{vitest,vite}.config.ts',
      '**/{contract/api,locales,server/migrations,tests/fixtures}/**',
      '**/tools/lib/{cuts,site,install}.mjs',
    ],
    testTimeout: SOAK ? 2 * HOUR_MS : 300_000,
    hookTimeout: SOAK ? 1_200_000 : 240_000,
    teardownTimeout: 60_000,
    // What a test waits for comes in milliseconds, or on a busy machine in many seconds.
    expect: { poll: { timeout: 60_000 } },
    projects: [
      {
        extends: true,
        // Modules that are tested without a page load texts too.
        plugins: ownPlugins.filter(
          (plugin) => plugin && 'name' in plugin && plugin.name === 'furlong-messages',
        ),
        test: { name: 'unit', include: ['tests/unit/**/*.test.ts'] },
      },
      {
        extends: true,
        plugins: ownPlugins,
        define,
        test: {
          name: 'component',
          include: ['tests/component/**/*.test.tsx'],
          environment: 'jsdom',
          setupFiles: ['tests/support/component-setup.ts'],
          css: { include: [/\.module\.css$/], modules: { classNameStrategy: 'non-scoped' } },
        },
      },
      {
        extends: true,
        test: {
          name: 'service',
          include: ['tests/{build,sql,service,soak}/**/*.test.ts'],
          globalSetup: ['tests/support/global-setup.ts'],
          // V8 compiled functions of the embedded database again, with its optimizing compiler, after a fraction of a
          // second: a third of the time of a command. This is two hundred times its usual limit.
          execArgv: ['--wasm-tiering-budget=400000000'],
        },
      },
    ],
  },
})
