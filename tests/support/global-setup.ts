import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startPostgresql } from '../../bench/postgresql-server.ts'
import { TEMPLATE_FOLDER } from './template-folder.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgresqlUrl: string
  }
}

/** One PostgreSQL server for the run; every test file creates its own databases in it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgresql()
  project.provide('postgresqlUrl', server.url)
  const folder = mkdtempSync(join(tmpdir(), 'furlong-templates-'))
  process.env[TEMPLATE_FOLDER] = folder
  return async () => {
    rmSync(folder, { recursive: true, force: true })
    await server.stop()
  }
}
