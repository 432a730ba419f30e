import { proxy } from 'comlink'
import type { OpenRequest } from '../../../analytics/engine-api.ts'
import type { Filter } from '../../../analytics/filter.ts'
import type {
  OwnApi,
  OwnChoices,
  OwnFile,
  OwnGroup,
  OwnMatch,
  OwnProgress,
} from '../../../analytics/own-api.ts'
import type { Comparison } from '../../../domain/own-compare.ts'
import type { OwnRoles } from '../../../domain/reading/own-columns.ts'
import type { DayOrder } from '../../../domain/reading/read-day.ts'
import { FurlongError } from '../../../domain/errors.ts'
import { openChannel, type WorkerChannel } from './worker-channel.ts'

/** The user's own file in a worker with a separate engine; it is never uploaded. */
export class OwnConnection {
  private readonly channel: WorkerChannel<OwnApi>
  private readonly opened: Promise<unknown>
  private cancels = 0

  constructor(request: OpenRequest) {
    this.channel = openChannel(
      new Worker(new URL('../../../workers/own.worker.ts', import.meta.url), { type: 'module' }),
    )
    this.opened = this.channel.reply(this.channel.api.open(request))
    // The next call rejects with this error.
    this.opened.catch(() => undefined)
  }

  /** Reads a file. Throws `own-file` with the problem and its position, `query-cancelled`, `out-of-memory`. */
  async read(file: File, choices: OwnChoices, onProgress: (progress: OwnProgress) => void): Promise<OwnFile> {
    const { cancels } = this
    await this.opened
    if (this.cancels !== cancels) throw new FurlongError('query-cancelled')
    return (await this.channel.reply(this.channel.api.read(file, choices, proxy(onProgress)))).file
  }

  cancel(): void {
    this.cancels += 1
    void this.channel.api.cancel()
  }

  async match(roles: OwnRoles, dayOrder: DayOrder | null): Promise<OwnMatch> {
    return (await this.channel.reply(this.channel.api.match(roles, dayOrder))).match
  }

  async compare(where: Filter | null): Promise<Comparison> {
    return (await this.channel.reply(this.channel.api.compare(where))).comparison
  }

  async breakdown(column: number, where: Filter | null): Promise<OwnGroup[]> {
    return (await this.channel.reply(this.channel.api.breakdown(column, where))).groups
  }

  /** Every row without a starter as CSV. */
  async unmatched(): Promise<string> {
    return (await this.channel.reply(this.channel.api.unmatched())).text
  }

  /** The matched rows as a DuckDB database. */
  async table(): Promise<Uint8Array<ArrayBuffer>> {
    return (await this.channel.reply(this.channel.api.table())).bytes
  }

  close(): void {
    this.channel.end(new FurlongError('query-cancelled'))
  }
}
