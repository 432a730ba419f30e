import { wrap } from 'comlink'
import { tableFromIPC } from 'apache-arrow'
import type { EngineDoor } from '../contract/engine.ts'
import type { QueryName } from '../contract/queries.ts'

/** Runs in the browser: the worker's door as the site uses it, with a stopwatch around each call. */
export async function openDoor(
  workerUrl: string,
  baseUrl: string,
  token: string | null,
  memoryLimitMb = 2000,
) {
  const door = wrap<EngineDoor>(new Worker(workerUrl, { type: 'module' }))
  const opened = await door.open({ baseUrl, regionId: '100000', token, memoryLimitMb })
  if (!opened.ok) throw new Error(JSON.stringify(opened.error))
  let requestId = 0
  return {
    dataset: opened.dataset,
    async ask(name: QueryName, parameters: unknown) {
      requestId += 1
      const started = performance.now()
      const reply = await door.run(name, parameters, requestId)
      if (!reply.ok) throw new Error(`${name}: ${JSON.stringify(reply.error)}`)
      const table = tableFromIPC(reply.bytes)
      const milliseconds = performance.now() - started
      return {
        milliseconds,
        engineMilliseconds: reply.milliseconds,
        source: reply.source,
        rows: table.numRows,
      }
    },
    async read(name: QueryName, parameters: unknown): Promise<Record<string, unknown>[]> {
      requestId += 1
      const reply = await door.run(name, parameters, requestId)
      if (!reply.ok) throw new Error(`${name}: ${JSON.stringify(reply.error)}`)
      return tableFromIPC(reply.bytes)
        .toArray()
        .map((row) => row.toJSON() as Record<string, unknown>)
    },
    memory: () => door.memory(),
    door,
  }
}

export type OpenedDoor = Awaited<ReturnType<typeof openDoor>>
Object.assign(globalThis, { openDoor })
