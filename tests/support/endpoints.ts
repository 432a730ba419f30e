import { readdirSync } from 'node:fs'
import type { Endpoint } from '../../contract/api/endpoint.ts'

const FOLDER = new URL('../../contract/api/', import.meta.url)

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'response' in value

const modules = new Map(
  await Promise.all(
    readdirSync(FOLDER)
      .toSorted()
      .map(async (file) => {
        const module = (await import(new URL(file, FOLDER).href)) as Record<string, unknown>
        return [file, Object.values(module).filter(isEndpoint)] as const
      }),
  ),
)

/** The calls of a module of the contract by its name, such as `racing`. */
export const endpointsOf = (name: string): Endpoint[] => modules.get(`${name}.ts`)!

/** Every call of the contract. */
export const ENDPOINTS: readonly Endpoint[] = [...modules.values()].flat()

export const nameOf = ({ method, path }: Pick<Endpoint, 'method' | 'path'>): string => `${method} ${path}`
