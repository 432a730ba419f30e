import { parentPort } from 'node:worker_threads'
import { forecastRace, type Fitted } from './race-forecast.ts'
import type { ThreadForecasts, ThreadTask } from './threaded-forecasts.ts'

const versions = new Map<number, Fitted>()
const port = parentPort!

port.on('message', ({ id, versionId, version, ...task }: ThreadTask) => {
  if (version) versions.set(versionId, version)
  const forecasts = forecastRace({ ...task, version: versions.get(versionId)! })
  port.postMessage({ id, forecasts } satisfies ThreadForecasts)
})
