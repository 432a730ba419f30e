import { ANALYTICS_PATH } from '../contract/api/analytics.ts'
import { MANIFEST_PATH } from '../contract/dataset-paths.ts'
import { every } from '../tests/support/server-process.ts'

const POLL_MS = 100
/** The region of the simulated day. */
const REGION_ID = '100000'

interface Numbered {
  id: string
  raceNo: number
}

/** When the dataset files that a server publishes first had the predictions of each race of a day, settled. */
export class FileWatch {
  /** By race; of `performance.now()`. */
  readonly firstAt = new Map<string, number>()
  private readonly base: string
  private readonly token: string
  private readonly day: string
  private readonly races: readonly Numbered[]
  private known = ''

  constructor(base: string, token: string, day: string, races: readonly Numbered[]) {
    this.base = base
    this.token = token
    this.day = day
    this.races = races
  }

  /** Reads the index of the files until stopped, and asks for the day's races whenever it has changed. */
  watch(stop: AbortSignal): Promise<void> {
    return every(POLL_MS, stop, async () => {
      const response = await fetch(new URL(MANIFEST_PATH, this.base))
      const text = await response.text()
      const at = performance.now()
      if (!response.ok || text === this.known) return
      this.known = text
      const numbers = await this.racesInFiles()
      for (const { id, raceNo } of this.races)
        if (numbers.includes(raceNo) && !this.firstAt.has(id)) this.firstAt.set(id, at)
    })
  }

  private async racesInFiles(): Promise<number[]> {
    const where = {
      and: [
        { dim: 'model', in: ['market-baseline'] },
        { dim: 'origin', in: ['locked'] },
        { dim: 'day', from: this.day, to: this.day },
      ],
    }
    const request = { aggregate: { model: 'predictions', by: ['race_no'], measures: ['predictions'], where } }
    const response = await fetch(new URL(ANALYTICS_PATH, this.base), {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        'x-access-token': this.token,
      },
      body: JSON.stringify({ regionId: REGION_ID, request }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${ANALYTICS_PATH}: ${response.status} ${text}`)
    const { result } = JSON.parse(text) as { result: { rows: { race_no: number }[] } }
    return result.rows.map(({ race_no: raceNo }) => raceNo)
  }
}
