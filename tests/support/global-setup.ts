import type { TestProject } from 'vitest/node'
import { buildProgram } from '../../tools/lib/program.mjs'
import { startPostgresql } from './postgresql-server.ts'
import { openTemplateFolder, TEMPLATE_FOLDER } from './template-folder.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgresqlUrl: string
  }
}

/** One PostgreSQL server for the run; every test file creates its own databases in it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  buildProgram()
  // Compiling a query takes longer than answering it from the few rows of a test.
  const server = await startPostgresql({ configuration: { jit: 'off' } })
  project.provide('postgresqlUrl', server.url)
  const { folder, remove } = openTemplateFolder()
  process.env[TEMPLATE_FOLDER] = folder
  return async () => {
    remove()
    await server.stop()
  }
}
