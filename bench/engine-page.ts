import { tableFromIPC } from 'apache-arrow'
import { wrap } from 'comlink'
import type { IndexRequest } from '../analytics/panel-index.ts'
import type { EngineApi, OpenRequest } from '../analytics/engine-api.ts'
import type { Scalar } from '../analytics/model.ts'
import { builtRequest, type Request } from '../analytics/request.ts'
import { drawBars, painted } from './bars.ts'

/** The figures of an answer's rows that are drawn. */
const figuresOf = (bytes: Uint8Array): number[] =>
  Array.from(tableFromIPC(bytes).getChild('predictions')!, Number)

/** Runs in the browser: the engine's API as the site uses it, with a timer around each call. */
export async function openEngine(workerUrl: string, request: OpenRequest) {
  const api = wrap<EngineApi>(new Worker(workerUrl, { type: 'module' }))
  const opened = await api.open(request)
  if (!opened.ok) throw new Error(JSON.stringify(opened.error))
  let requestId = 0
  let indexed: number[] = []
  let indexName = ''
  const call = () => {
    requestId += 1
    return { requestId, priority: 'interactive' as const }
  }
  const board = document.body.appendChild(document.createElement('div'))
  return {
    dataset: opened.dataset,
    api,
    async ask(question: Request) {
      const started = performance.now()
      const reply = await api.run(builtRequest(question), call())
      if (!reply.ok) throw new Error(JSON.stringify(reply.error))
      const { bytes, milliseconds: engineMilliseconds, source } = reply.answer
      const table = tableFromIPC(bytes)
      return { milliseconds: performance.now() - started, engineMilliseconds, source, rows: table.numRows }
    },
    /** Until its rows are decoded, and until its bars are painted. */
    async paint(question: Request) {
      const started = performance.now()
      const reply = await api.run(builtRequest(question), call())
      if (!reply.ok) throw new Error(JSON.stringify(reply.error))
      drawBars(board, figuresOf(reply.answer.bytes))
      const answeredMs = performance.now() - started
      await painted()
      return { answeredMs, paintedMs: performance.now() - started }
    },
    async read(question: Request): Promise<Record<string, unknown>[]> {
      const reply = await api.run(builtRequest(question), call())
      if (!reply.ok) throw new Error(JSON.stringify(reply.error))
      return tableFromIPC(reply.answer.bytes)
        .toArray()
        .map((row) => row.toJSON() as Record<string, unknown>)
    },
    async index(question: IndexRequest): Promise<number> {
      const reply = await api.index(question, call())
      if (!reply.ok) throw new Error(JSON.stringify(reply.error))
      indexName = reply.answer.name
      indexed = question.panels.map((_, at) => at)
      return reply.answer.milliseconds
    },
    /** One position of the brush: time in the engine, and time until its bars are painted. */
    async step(from: Scalar, to: Scalar) {
      const started = performance.now()
      const reply = await api.step(indexName, { from, to, panels: indexed }, call())
      if (!reply.ok) throw new Error(JSON.stringify(reply.error))
      drawBars(board, figuresOf(reply.answer.bytes))
      const answered = performance.now() - started
      await painted()
      return { engine: reply.answer.milliseconds, answered, painted: performance.now() - started }
    },
    memory: () => api.memory(),
  }
}

export type OpenedEngine = Awaited<ReturnType<typeof openEngine>>
Object.assign(globalThis, { openEngine })
