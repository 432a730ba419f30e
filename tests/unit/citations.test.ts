import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** The documents that code cites, by the name it uses for them. */
const CITED = {
  specification: 'docs/specification/specification.md',
  decisions: 'docs/specification/decisions.md',
  'domain notes': 'docs/specification/domain.md',
} as const
const FOLDERS = ['analytics', 'bench', 'contract', 'domain', 'server', 'src', 'tests', 'tools', 'workers']

/** Texts of the files below a folder whose names match a pattern. */
const textsBelow = (folder: string, ends: RegExp): (readonly [path: string, text: string])[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => ends.test(name) && !name.includes('node_modules'))
    .map((name) => [join(folder, name), readFileSync(join(folder, name), 'utf8')])

const texts = FOLDERS.flatMap((folder) => textsBelow(folder, /\.(?:ts|tsx|mjs|css|sql)$/))

test('every section that code cites is in the repository', () => {
  const sections = new Map(
    Object.entries(CITED).map(([name, path]) => [
      name,
      new Set([...readFileSync(path, 'utf8').matchAll(/^## (\d+)\. /gm)].map(([, number]) => number)),
    ]),
  )
  const cited = texts.flatMap(([path, text]) =>
    [...text.matchAll(/\b(specification|decisions|domain notes) section (\d+)/g)].map(([, name, number]) => ({
      path,
      name: name!,
      number: number!,
    })),
  )
  expect(cited.length).toBeGreaterThan(40)
  expect(cited.filter(({ name, number }) => !sections.get(name)!.has(number))).toEqual([])
})

test('every document that code or documents link to is in the repository', () => {
  const documents = [
    ...textsBelow('docs', /\.md$/),
    ...['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md'].map(
      (path) => [path, readFileSync(path, 'utf8')] as const,
    ),
  ]
  const missing = [
    ...texts.flatMap(([path, text]) =>
      [...text.matchAll(/\bdocs\/[\w/-]+\.(?:md|tsv)\b/g)].map(([to]) => [path, to]),
    ),
    ...documents.flatMap(([path, text]) =>
      [...text.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(([, to]) => [
        path,
        new URL(to!, `file:///${path}`).pathname.slice(1),
      ]),
    ),
  ].filter(([, to]) => !existsSync(to!))
  expect(missing).toEqual([])
})
