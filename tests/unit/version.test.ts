import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { BUILD_VERSION } from '../../server/process/version.ts'

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

test('the package, the image and the newest entry of the changelog name one version', () => {
  expect(BUILD_VERSION).toMatch(/^\d+\.\d+\.\d+$/)
  expect(/image\.version="([^"]+)"/.exec(read('Dockerfile'))?.[1]).toBe(BUILD_VERSION)
  expect(/^## \[(\d[^\]]*)\] - \d{4}-\d{2}-\d{2}$/m.exec(read('CHANGELOG.md'))?.[1]).toBe(BUILD_VERSION)
})
