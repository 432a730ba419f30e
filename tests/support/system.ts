import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

const CHROMIUMS = [
  process.env['CHROMIUM_PATH'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]
const POSTGRESQL = '/usr/lib/postgresql'

/** The browser that tests drive. */
export function chromiumPath(): string {
  const found = CHROMIUMS.find((path) => path && existsSync(path))
  if (!found) throw new Error('Chromium is missing: install it, or set CHROMIUM_PATH')
  return found
}

/** Folder of PostgreSQL's server programs, the newest version that is installed. */
export function postgresqlBin(): string {
  const versions = existsSync(POSTGRESQL) ? readdirSync(POSTGRESQL) : []
  const newest = versions.toSorted((a, b) => Number(b) - Number(a))[0]
  const bin = process.env['POSTGRESQL_BIN'] ?? (newest ? join(POSTGRESQL, newest, 'bin') : '')
  if (!existsSync(join(bin, 'initdb')))
    throw new Error('PostgreSQL is missing: install it, or set POSTGRESQL_BIN')
  return bin
}
