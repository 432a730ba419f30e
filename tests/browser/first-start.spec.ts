import { expect, test } from '@playwright/test'
import type { Starts } from './starts.ts'

const linksOf = (printed: string): string[] => [...printed.matchAll(/link=(\S+)/g)].map(([, code]) => code!)

test(
  'a first start makes the demonstration, takes the next free port and prints links; a second has nothing to do',
  { tag: '@smoke' },
  () => {
    const { taken, first, second } = JSON.parse(process.env['FURLONG_E2E_STARTS']!) as Starts
    expect(first.printed).toContain('demonstration season made')
    expect(first.printed).toContain(`port ${taken} is taken, using `)
    expect(new URL(first.base).port).not.toBe(String(taken))
    for (const role of ['VIP', 'member', 'provider'])
      expect(first.printed).toMatch(new RegExp(`as its ${role}: http\\S+link=`))
    expect([first.ready, first.exit]).toEqual([200, 0])

    expect(second.printed).not.toContain('demonstration season made')
    expect(second.printed).not.toContain('is taken')
    expect(new URL(second.base).port).toBe(String(second.port))
    expect(linksOf(second.printed)).toHaveLength(3)
    expect(linksOf(second.printed).filter((code) => linksOf(first.printed).includes(code))).toEqual([])
    expect(second.ready).toBe(200)
  },
)
