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

test('no package runs a script when it is installed', () => {
  expect(readFileSync(path('.npmrc'), 'utf8')).toContain('ignore-scripts=true')
  expect(readFileSync(path('tools/lib/install.mjs'), 'utf8')).toContain("'--ignore-scripts'")
})
