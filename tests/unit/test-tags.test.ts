import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** Written so that this file has none itself. */
const TAG = new RegExp(['@module', '-tag|', String.raw`\btags`, String.raw`: \[`].join(''))

/** The files of tests in a level that have a tag. */
const taggedFiles = (level: string): string[] =>
  readdirSync(join('tests', level), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.test\.tsx?$/.test(name))
    .filter((name) => TAG.test(readFileSync(join('tests', level, name), 'utf8')))

test('npm test runs every unit test: only tests of components and services have tags', () => {
  expect(taggedFiles('component').length).toBeGreaterThan(0)
  expect(taggedFiles('service').length).toBeGreaterThan(20)
  expect(taggedFiles('unit')).toEqual([])
})
