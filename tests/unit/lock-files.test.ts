import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

interface Lock {
  packages: Record<string, { integrity?: string; link?: boolean }>
}

test.each(['.', 'tools', 'bench/lighthouse', 'bench/peer'])(
  'the lock file of %s has the hash of every package, also of those for other platforms',
  (folder) => {
    const path = new URL(`../../${folder}/package-lock.json`, import.meta.url)
    const { packages } = JSON.parse(readFileSync(path, 'utf8')) as Lock
    const unverified = Object.entries(packages)
      .filter(([where, { link, integrity = '' }]) => where !== '' && !link && !/^sha\d+-\S+$/.test(integrity))
      .map(([where]) => where)
    expect(unverified).toEqual([])
  },
)
