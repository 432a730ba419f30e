import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, test } from 'vitest'
import { buildEnvironment, buildSite } from '../../tools/lib/site.mjs'

beforeAll(buildSite)

const path = (relative: string): string => fileURLToPath(new URL(`../../${relative}`, import.meta.url))

test('the site is built for production, whatever the environment says', () => {
  expect(buildEnvironment({ NODE_ENV: 'development', HOME: '/x' })).toEqual({
    NODE_ENV: 'production',
    HOME: '/x',
  })
  const site = path('dist/site')
  expect(existsSync(`${site}/sw.js`), 'the service worker').toBe(true)
  const scripts = readdirSync(`${site}/assets`).filter((name) => name.endsWith('.js'))
  expect(scripts.length).toBeGreaterThan(20)
  // React's development bundle contains key warnings; its production bundle contains only message numbers.
  const development = scripts.filter((name) =>
    readFileSync(`${site}/assets/${name}`, 'utf8').includes('Each child in a list should have a unique'),
  )
  expect(development).toEqual([])
})

test('no visitor is sent the readers of files of one’s own before such a file is opened', () => {
  const site = path('dist/site')
  const readers = readdirSync(`${site}/assets`).filter((name) =>
    /^(read-|unpack|recognise-encoding).*\.js$/.test(name),
  )
  for (const name of [
    'read-json',
    'read-parquet',
    'read-sheet',
    'recognise-encoding',
    'unpack',
    'unpack-zip',
  ])
    expect(
      readers.some((reader) => reader.startsWith(`${name}-`)),
      name,
    ).toBe(true)
  const stored = readFileSync(`${site}/sw.js`, 'utf8')
  expect(readers.filter((reader) => stored.includes(reader))).toEqual([])
})

test('no package runs a script when it is installed', () => {
  expect(readFileSync(path('.npmrc'), 'utf8')).toContain('ignore-scripts=true')
  expect(readFileSync(path('tools/lib/install.mjs'), 'utf8')).toContain("'--ignore-scripts'")
})

test('the licence texts of what the site is made of are shipped with it', () => {
  const text = readFileSync(path('dist/site/licences.txt'), 'utf8')
  // Of the page, of a screen, of a chart, of the grid, of a worker.
  for (const name of [
    'react-dom',
    'lucide-react',
    'plotly.js',
    'ag-grid-community',
    '@duckdb/duckdb-wasm',
    'apache-arrow',
  ])
    expect(text).toMatch(new RegExp(`^${name} \\d+\\.`, 'm'))
  expect(text).toContain('Permission is hereby granted')
  expect(text).toContain('Apache License')
  // Not of what only the server has.
  expect(text).not.toMatch(/^fastify /m)
})
