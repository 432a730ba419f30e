import type { TestProject } from 'vitest/node'
import { startPostgresql } from '../../bench/postgresql-server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgresqlUrl: string
  }
}

/** One PostgreSQL server for the run; every test file makes databases of its own in it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgresql()
  project.provide('postgresqlUrl', server.url)
  return () => server.stop()
}
