import { execFileSync, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { ROOT } from '../lib/install.mjs'

/**
 * The variables of the tests in the copy: they make templates of their own, because whoever starts tests in a folder of
 * templates removes the unfinished ones.
 */
const { FURLONG_TEST_TEMPLATES: _templates, ...environment } = process.env

/** A copy of the project's files in a folder of its own, with a history in which each addition is one commit. */
export class Scratch {
  folder = mkdtempSync(join(tmpdir(), 'furlong-additions-'))

  constructor() {
    const listed = execFileSync('git', ['ls-files', '-z', '-c', '-o', '--exclude-standard'], { cwd: ROOT })
    for (const path of listed.toString().split('\0').filter(Boolean))
      if (existsSync(join(ROOT, path))) cpSync(join(ROOT, path), join(this.folder, path))
    this.#linkPackages()
    this.#git('init', '-q')
    writeFileSync(join(this.folder, '.git/info/exclude'), 'node_modules\n')
    this.commit()
  }

  /** Links the installed packages, each by itself: what tools store beside them stays in the copy. */
  #linkPackages() {
    for (const place of ['', 'tools']) {
      const from = join(ROOT, place, 'node_modules')
      const to = join(this.folder, place, 'node_modules')
      mkdirSync(to)
      for (const name of readdirSync(from))
        if (name === '.bin' || !name.startsWith('.')) symlinkSync(join(from, name), join(to, name))
    }
  }

  #git(...args) {
    const identity = ['-c', 'user.name=additions', '-c', 'user.email=additions@localhost']
    return execFileSync('git', [...identity, ...args], { cwd: this.folder }).toString()
  }

  commit() {
    this.#git('add', '-A')
    this.#git('commit', '-q', '--no-verify', '-m', 'Addition')
  }

  /** Takes back what was changed since the last commit: all, or some files. */
  reset(paths = ['.']) {
    this.#git('stash', 'push', '-q', '-u', '--', ...paths)
    this.#git('stash', 'drop', '-q')
  }

  /** Every file of the last commit. */
  files() {
    return this.#git('ls-files', '-z').split('\0').filter(Boolean)
  }

  /** The files that were changed, added or deleted since the last commit. */
  touched() {
    return this.#git('status', '--porcelain', '-z', '-uall', '--no-renames')
      .split('\0')
      .filter(Boolean)
      .map((line) => line.slice(3))
      .toSorted()
  }

  has(path) {
    return existsSync(join(this.folder, path))
  }

  read(path) {
    return readFileSync(join(this.folder, path), 'utf8')
  }

  write(path, text) {
    mkdirSync(dirname(join(this.folder, path)), { recursive: true })
    writeFileSync(join(this.folder, path), text)
  }

  /** Changes a file. Throws an error if its text does not have `before` exactly once. */
  replace(path, before, after) {
    const parts = this.read(path).split(before)
    if (parts.length !== 2) throw new Error(`${path} has ${parts.length - 1} times: ${before}`)
    this.write(path, parts.join(after))
  }

  /** Runs a program of Node in the copy. Throws an error with its output if it fails. */
  run(...args) {
    const { status, stdout, stderr } = spawnSync(process.execPath, args, {
      cwd: this.folder,
      encoding: 'utf8',
    })
    if (status !== 0) throw new Error(`${args.join(' ')}: ${stdout}${stderr}`)
  }

  /** Errors of the compiler, one a line. */
  typeErrors() {
    const { stdout } = spawnSync(
      process.execPath,
      ['node_modules/typescript/bin/tsc', '-b', '--pretty', 'false'],
      {
        cwd: this.folder,
        encoding: 'utf8',
      },
    )
    return stdout.split('\n').filter((line) => line.includes('error TS'))
  }

  /** Runs tests with these arguments of Vitest. Returns the number that passed and the names of those that failed. */
  tests(...args) {
    const file = join(this.folder, 'node_modules/additions-report.json')
    rmSync(file, { force: true })
    const { stdout, stderr } = spawnSync(
      process.execPath,
      ['node_modules/vitest/vitest.mjs', 'run', '--reporter=json', `--outputFile=${file}`, ...args],
      { cwd: this.folder, encoding: 'utf8', env: { ...environment, FURLONG_TESTS: 'all' } },
    )
    if (!existsSync(file)) throw new Error(`the tests did not start: ${stdout}${stderr}`)
    const { testResults } = JSON.parse(readFileSync(file, 'utf8'))
    const single = testResults.flatMap(({ assertionResults }) => assertionResults)
    return {
      passed: single.filter(({ status }) => status === 'passed').length,
      failed: [
        ...single.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName),
        // A file that could not be loaded.
        ...testResults
          .filter(({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0)
          .map(({ name, message }) => `${name.slice(this.folder.length + 1)}: ${message.split('\n')[0]}`),
      ],
    }
  }

  remove() {
    rmSync(this.folder, { recursive: true })
  }
}
