import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { expect, test } from 'vitest'
import { STANDBY_LINE, STANDBY_OPTIONS } from '../support/postgresql-server.ts'
import { newProgram } from '../../server/commands/program.ts'
import { readSettings } from '../../server/process/env.ts'
import { OPERATING_BLOCKS, operatingLine, operatingVariables } from '../support/operating.ts'

const PROGRAM = newProgram()
const DOCUMENTS = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync('docs')
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
]
/** Arguments that `npm run NAME` puts before those after `--`. */
const SCRIPTS: Readonly<Record<string, readonly string[]>> = {
  admin: [],
  import: ['import'],
  score: ['score'],
  demo: ['demo'],
}
const TESTS = readdirSync('tests', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => readFileSync(join('tests', name), 'utf8'))
  .join('\n')

/** The command that the words lead to, and the names on the path to it. */
function commandOf(words: readonly string[]): { command: Command; path: string[] } {
  let command = PROGRAM
  const path: string[] = []
  for (const word of words) {
    const next = command.commands.find((each) => each.name() === word)
    if (!next) break
    command = next
    path.push(word)
  }
  return { command, path }
}

/** The words of each command in a text: `list|approve ID` is two commands, and so is a second command after a gap. */
function commandsIn(text: string): string[][] {
  return [...text.matchAll(/npm run (admin|import|score|demo) -- ([^`\n]+)/g)].flatMap(([, script, rest]) => {
    const [first, ...others] = rest!.replace(/\s#.*$/, '').split(/\s{2,}/)
    const top = PROGRAM.commands.map((command) => command.name())
    const beside = others.filter((other) => top.includes(other.split(' ')[0]!) && / [A-Z]/.test(other))
    return [first!, ...beside].flatMap((line) => {
      const [head, ...choices] = line.split('|')
      const words = [...SCRIPTS[script!]!, ...head!.trim().split(/\s+/)]
      const { path } = commandOf(words)
      return [words, ...choices.map((choice) => [...path.slice(0, -1), ...choice.trim().split(/\s+/)])]
    })
  })
}

const documented = DOCUMENTS.flatMap((document) =>
  commandsIn(readFileSync(document, 'utf8')).map((words) => ({ document, words })),
)

test('alternatives, comments and gaps are read as a reader reads them', () => {
  expect(commandsIn('npm run admin -- orders list ACCOUNT|refund ID   # both\n')).toEqual([
    ['orders', 'list', 'ACCOUNT'],
    ['orders', 'refund', 'ID'],
  ])
  expect(commandsIn('npm run admin -- grant-vip ACCOUNT --months N    grant-vouchers ACCOUNT N')).toEqual([
    ['grant-vip', 'ACCOUNT', '--months', 'N'],
    ['grant-vouchers', 'ACCOUNT', 'N'],
  ])
  expect(commandsIn('npm run admin -- build      score what changed')).toEqual([['build']])
})

test('every command that a document names is there, with its options', () => {
  expect(documented.length).toBeGreaterThan(40)
  const wrong = documented.flatMap(({ document, words }) => {
    const { command, path } = commandOf(words)
    const options = words.flatMap((word) => /^\[?(--[a-z-]+)/.exec(word)?.[1] ?? [])
    const known = new Set(['--help', ...command.options.map(({ long }) => long)])
    const next = words[path.length]
    // A group of commands is named alone, or followed by a placeholder for its commands.
    const isThere = command.commands.length === 0 || next === undefined || /^[-…]/.test(next)
    return isThere && options.every((option) => known.has(option)) ? [] : [`${document}: ${words.join(' ')}`]
  })
  expect(wrong).toEqual([])
})

test('every command that a document names is run by a test', () => {
  const untried = documented.flatMap(({ document, words }) => {
    const { command, path } = commandOf(words)
    if (command.commands.length > 0) return []
    const run = new RegExp(path.map((word) => `'${word}'`).join(String.raw`,\s*`))
    return run.test(TESTS) ? [] : [`${document}: ${path.join(' ')}`]
  })
  expect(untried).toEqual([])
})

test('a standby is made in the tests as the document says', () => {
  expect(operatingLine('pg_basebackup')).toMatch(
    new RegExp(`^pg_basebackup .* ${STANDBY_OPTIONS.join(' ')}$`),
  )
  expect(operatingLine('psql -c "alter system')).toBe(STANDBY_LINE)
})

test('the variables of the machine with the primary database are complete', () => {
  const variables = operatingVariables('psql -c "alter system', 'o'.repeat(32))
  expect(readSettings({ NODE_ENV: 'production', ...variables })).toMatchObject({
    databaseUrl: 'postgres://furlong@a/furlong',
    standbyUrl: 'postgres://furlong@b/furlong',
    bucket: { name: 'furlong' },
  })
})

test('every other line of the operating page is read by the test that runs it', () => {
  const quoted = (name: string): string[] =>
    [...TESTS.matchAll(new RegExp(`\\b${name}\\(\\s*'([^']+)'`, 'g'))].map(([, start]) => start!)
  const [lines, blocks] = [
    quoted('operatingLine'),
    [...quoted('operatingBlock'), ...quoted('operatingVariables')],
  ]
  const rest = OPERATING_BLOCKS.filter((block) => !blocks.some((start) => block.startsWith(start)))
    .flatMap((block) => block.split('\n'))
    .filter((line) => !line.startsWith('npm run '))
  expect(rest.length).toBeGreaterThan(3)
  expect(rest.filter((line) => !lines.some((start) => line.startsWith(start)))).toEqual([])
})
