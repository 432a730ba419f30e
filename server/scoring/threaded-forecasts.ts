import { Worker } from 'node:worker_threads'
import { threadCode } from '../process/program.ts'
import type { Forecast } from '../model/lines.ts'
import type { Fitted, ForecastTask } from './race-forecast.ts'

/** A race to forecast. A version is sent with the first race that needs it. */
export interface ThreadTask extends Omit<ForecastTask, 'version'> {
  id: number
  versionId: number
  version: Fitted | null
}

export interface ThreadForecasts {
  id: number
  forecasts: Forecast[]
}

interface Waiting {
  resolve(forecasts: Forecast[]): void
  reject(error: unknown): void
}

/** Makes forecasts in a thread of its own, while this one waits for the database. End it after use. */
export class ThreadedForecasts {
  private readonly thread = new Worker(threadCode('forecast-thread'), { eval: true })
  private readonly versionIds = new Map<Fitted, number>()
  private readonly waiting = new Map<number, Waiting>()
  private lastId = 0
  private failure: unknown = null

  constructor() {
    this.thread.on('message', ({ id, forecasts }: ThreadForecasts) => {
      this.waiting.get(id)?.resolve(forecasts)
      this.waiting.delete(id)
    })
    this.thread.on('error', (error) => this.fail(error))
    this.thread.on('exit', () => this.fail(new Error('the thread ended')))
  }

  /** What `forecastRace` returns. Rejected if the thread ends before, or has ended. */
  async forecast({ version, ...task }: ForecastTask): Promise<Forecast[]> {
    if (this.failure !== null) throw this.failure
    this.lastId += 1
    const id = this.lastId
    const knownId = this.versionIds.get(version)
    const versionId = knownId ?? this.versionIds.size
    this.versionIds.set(version, versionId)
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject })
      const message: ThreadTask = { ...task, id, versionId, version: knownId === undefined ? version : null }
      this.thread.postMessage(message)
    })
  }

  async end(): Promise<void> {
    await this.thread.terminate()
  }

  private fail(error: unknown): void {
    this.failure ??= error
    for (const { reject } of this.waiting.values()) reject(error)
    this.waiting.clear()
  }
}
