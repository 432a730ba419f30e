import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { buildProgram } from '../../tools/lib/program.mjs'
import { startPostgresql } from '../../bench/postgresql-server.ts'
import { TEMPLATE_FOLDER } from './template-folder.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgresqlUrl: string
  }
}

/** One PostgreSQL server for the run; every test file creates its own databases in it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  buildProgram()
  const server = await startPostgresql()
  project.provide('postgresqlUrl', server.url)
  const folder = mkdtempSync(join(tmpdir(), 'furlong-templates-'))
  // Servers that tests start as other users have their folders in it.
  chmodSync(folder, 0o711)
  process.env[TEMPLATE_FOLDER] = folder
  return async () => {
    rmSync(folder, { recursive: true, force: true })
    await server.stop()
  }
}
