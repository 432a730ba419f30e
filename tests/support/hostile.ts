import { connect } from 'node:net'
import type { FastifyInstance } from 'fastify'

interface OpenApi {
  paths: Record<string, Record<string, Operation>>
}
interface Operation {
  parameters?: { name: string; in: string }[]
  requestBody?: { content: Record<string, { schema: { properties?: Record<string, unknown> } }> }
}
/** One operation of the OpenAPI file, with the names of its inputs. */
export interface Target {
  method: string
  path: string
  query: string[]
  params: string[]
  body: string[]
}

export const TEXTS = [
  '',
  ' ',
  'null',
  '-1',
  '1e309',
  'NaN',
  '99999999999999999999',
  '9999999999999999',
  '0000-00-00',
  '9999-12-31',
  "' or '1'='1",
  `"; drop table customer; --`,
  `1); select pg_sleep(9); --`,
  '${7*7}{{7*7}}',
  '../../../../etc/passwd',
  '..%2f..%2fsecret',
  '%00',
  'a\u0000b',
  '\ud800',
  '\r\nX-Injected: yes',
  '<script>alert(1)</script>',
  '__proto__',
  'constructor',
  '🏇'.repeat(300),
  'x'.repeat(5000),
]
export const VALUES: unknown[] = [
  ...TEXTS,
  null,
  0,
  -1,
  1.5,
  1e308,
  true,
  [],
  ['x'],
  {},
  { $gt: '' },
  [[[[]]]],
  { toString: 1 },
]
/** Internal details that no response may contain. */
export const TRACE =
  /node_modules|\.ts:\d|at (async )?[\w.]+ \(|select .* from |syntax error|SQLSTATE|pglite|stack/i

/** Sends raw bytes; returns the response. */
export const raw = (port: number, bytes: Buffer | string): Promise<string> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.end(bytes))
    let heard = ''
    socket.on('data', (chunk: Buffer) => (heard += chunk.toString('latin1')))
    socket.on('close', () => resolve(heard))
    socket.on('error', () => resolve(heard))
  })

/** Every operation that the service's OpenAPI file names. */
export function targetsOf(app: FastifyInstance): Target[] {
  const openApi = (app as unknown as { swagger(): OpenApi }).swagger()
  return Object.entries(openApi.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      query: (operation.parameters ?? []).filter((each) => each.in === 'query').map(({ name }) => name),
      params: [...path.matchAll(/\{([^}]+)\}/g)].map((match) => match[1]!),
      body: Object.values(operation.requestBody?.content ?? {}).flatMap(({ schema }) =>
        Object.keys(schema.properties ?? {}),
      ),
    })),
  )
}
