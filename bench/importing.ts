import { setMaxListeners } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { quantile } from './engine.ts'
import { startPostgresql } from '../tests/support/postgresql-server.ts'
import { every, runCommand, startServerProcess, type ServerProcess } from '../tests/support/server-process.ts'

const READERS = 20
const READ_EVERY_MS = 100
/** Progress names of the import, and the names of those phases in the report. */
const PHASES = { rows: 'rows', train: 'training', predict: 'predicting', build: 'building' } as const

interface Spread {
  requests: number
  failed: number
  p50Ms: number
  p99Ms: number
  maxMs: number
}

export interface ImportingReport {
  database: 'pglite' | 'postgresql'
  /** Duration of the whole import, including training, predictions and files. */
  seconds: number
  requestsPerSecond: number
  before: Spreads
  /** Response times during each phase of the import. */
  during: Record<string, Spreads>
  /** The longest of all during the import. */
  longestMs: Record<keyof Spreads, number>
}

/** Lists that many ask for, which the server keeps, and pages that nobody has asked for before. */
interface Spreads {
  lists: Spread
  newPages: Spread
}

interface Read {
  kind: keyof Spreads
  at: number
  ms: number
  ok: boolean
}

/**
 * Requests lists at a steady rate over loopback, before and while ten seasons are imported, trained, predicted and
 * built.
 */
export async function benchImporting(
  kind: 'pglite' | 'postgresql',
  folder: string,
): Promise<ImportingReport> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'furlong-importing-'))
  const postgresql = kind === 'postgresql' ? await startPostgresql({ durable: true }) : null
  const environment = { FURLONG_DATA: dataFolder, DATABASE_URL: postgresql?.url ?? '' }
  let server: ServerProcess | null = null
  try {
    server = await startServerProcess(environment, /\nready\n/)
    const { base } = server
    const reads: Read[] = []
    const stop = new AbortController()
    setMaxListeners(0, stop.signal)
    const readers = Array.from({ length: READERS }, (_, index) =>
      every(READ_EVERY_MS, stop.signal, () => read(base, index, reads)),
    )
    await new Promise((resolve) => setTimeout(resolve, 10_000))
    const started = performance.now()
    const phases: { at: number; name: string }[] = []
    await runCommand(environment, ['import', '--format', 'hk', '--replace-demo', folder], (printed) => {
      const name =
        Object.entries(PHASES).find(([word]) => printed.includes(word))?.[1] ??
        phases.at(-1)?.name ??
        PHASES.rows
      if (phases.at(-1)?.name !== name) phases.push({ at: performance.now(), name })
    })
    const ended = performance.now()
    stop.abort()
    await Promise.all(readers)
    const phaseAt = (at: number): string => phases.findLast((phase) => phase.at <= at)?.name ?? PHASES.rows
    const measured = reads.filter(({ at }) => at >= started && at <= ended)
    const during: Record<string, Spreads> = {}
    for (const name of new Set(phases.map((phase) => phase.name)))
      during[name] = spreadsOf(measured.filter(({ at }) => phaseAt(at) === name))
    const all = spreadsOf(measured)
    return {
      database: kind,
      seconds: Math.round((ended - started) / 1000),
      requestsPerSecond: Math.round(measured.length / ((ended - started) / 1000)),
      before: spreadsOf(reads.filter(({ at }) => at < started)),
      during,
      longestMs: { lists: all.lists.maxMs, newPages: all.newPages.maxMs },
    }
  } finally {
    await server?.stop()
    await postgresql?.stop()
    rmSync(dataFolder, { recursive: true, force: true })
  }
}

const LISTS = ['queryRace', 'queryRacePageDesc', 'queryRaceTips', 'queryRaceHorse'] as const

/** One request in so many is for a page that nobody has asked for before. */
const NEW_PAGE_EVERY = 10
let lastPage = 1000

async function read(base: string, index: number, reads: Read[]): Promise<void> {
  const at = performance.now()
  const today = new Date().toISOString().slice(0, 10)
  const kind = (index + reads.length) % NEW_PAGE_EVERY === 0 ? 'newPages' : 'lists'
  const list = kind === 'newPages' ? 'queryRacePageDesc' : LISTS[(index + reads.length) % LISTS.length]!
  if (kind === 'newPages') lastPage += 1
  const page = kind === 'newPages' ? lastPage : 1
  const path = `race/api/${list}?countryRegionId=100000&today=${today}&pageNo=${page}&pageSize=10`
  try {
    const response = await fetch(new URL(path, base))
    await response.arrayBuffer()
    reads.push({ kind, at, ms: performance.now() - at, ok: response.ok })
  } catch {
    reads.push({ kind, at, ms: performance.now() - at, ok: false })
  }
}

const spreadsOf = (reads: readonly Read[]): Spreads => ({
  lists: spreadOf(reads.filter(({ kind }) => kind === 'lists')),
  newPages: spreadOf(reads.filter(({ kind }) => kind === 'newPages')),
})

function spreadOf(reads: readonly Read[]): Spread {
  const times = reads.map(({ ms }) => ms)
  const at = (share: number): number => (times.length === 0 ? 0 : Math.round(quantile(times, share)))
  return {
    requests: reads.length,
    failed: reads.filter(({ ok }) => !ok).length,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    maxMs: at(1),
  }
}
