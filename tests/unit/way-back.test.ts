import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { backPath, loginPath, wayBack } from '../../src/data/login-path.ts'
import { PAGES } from '../../src/data/pages.ts'

const SITE = 'https://furlong.example'
const CENTRE = '/pages/user/fypeople'

test('every screen has its file, which exports a component of its name', () => {
  for (const { screen } of PAGES) {
    const name = screen.split('/')[1]!.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())
    const text = readFileSync(new URL(`../../src/screens/${screen}.tsx`, import.meta.url), 'utf8')
    expect(text).toMatch(new RegExp(`export (?:function|const) ${name}\\b`))
  }
  expect(new Set(PAGES.map(({ path }) => path)).size).toBe(PAGES.length)
  // The specification's routes.
  expect(PAGES.length).toBeGreaterThan(38)
})

test('every file of a screen has its line, except home and the screen of unknown addresses', () => {
  const files = readdirSync('src/screens', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('-screen.tsx'))
    .map((name) => name.replace('.tsx', ''))
  const listed = [...PAGES.map(({ screen }) => screen), 'home/home-screen', 'not-found/not-found-screen']
  expect(files.toSorted()).toEqual([...new Set(listed)].toSorted())
})

test('every screen is a way back, and no other path', () => {
  for (const path of ['/', ...PAGES.map((page) => page.path)]) expect(wayBack(path)).toBe(path)
})

test.each([
  [
    '/pages/race/HorseRace?raceId=HKSHT2026112105&source=pr',
    '/pages/race/HorseRace?raceId=HKSHT2026112105&source=pr',
  ],
  ['/pages/race/HorseDetail?id=HK-%E8%A9%A6', '/pages/race/HorseDetail?id=HK-%E8%A9%A6'],
  [
    '/pages/user/fyorder?detail=%7B%22tag%22%3A%22obligation%22%7D',
    '/pages/user/fyorder?detail=%7B%22tag%22%3A%22obligation%22%7D',
  ],
  ['/pages/help/lab', '/pages/help/lab'],
  ['/', '/'],
])('%s is kept', (text, address) => {
  expect(backPath(text)).toBe(address)
})

test.each([
  null,
  '',
  '/\\evil.com',
  '/%5Cevil.com',
  '/%5cevil.com',
  '\\/evil.com',
  '//evil.com',
  '/\t/evil.com',
  '/\n//evil.com',
  '/%09/evil.com',
  '/%2F/evil.com',
  '/./\\evil.com',
  'https://evil.com',
  'https:evil.com',
  'javascript:alert(1)',
  ' /pages/user/fypeople',
  '/pages/user/fypeople\u0000',
  '/pages/user/../../\\evil.com',
  '/pages/user/fypeople#//evil.com',
  '/pages/user/fypeople?a=\\evil.com',
  '/pages/user/fypeople?a=\u202Eb',
  '/pages/race/racehome/',
  '/pages/no/such',
  '/pages/login/login?back=/pages/login/login',
  `/pages/race/racehome?a=${'b'.repeat(3000)}`,
])('%s is dropped', (text) => {
  expect(backPath(text)).toBe(CENTRE)
})

test('whatever is given, the way back stays on the site', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '/',
      '\\',
      '%5C',
      '%2f',
      '//',
      '?',
      '#',
      '\t',
      '\u0000',
      'evil.com',
      'pages/race/racehome',
      '@',
      ':',
      'http:',
    ),
    fc.string({ maxLength: 6 }),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const target = backPath(`/${pieces.join('')}`)
      const url = new URL(target, SITE)
      expect(url.origin).toBe(SITE)
      expect(url.pathname === '/' || PAGES.some(({ path }) => path === url.pathname)).toBe(true)
    }),
    { numRuns: 2000 },
  )
})

test('the sign-in screen leads back to where it was opened', () => {
  const target = '/pages/race/HorseRace?raceId=HKSHT2026112105&source=pr'
  const back = new URL(loginPath(target), SITE).searchParams.get('back')
  expect(backPath(back)).toBe(target)
})
