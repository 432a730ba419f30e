import type { RacingWriter } from '../../store/racing/racing-writer.ts'
import type { Twins } from '../../store/racing/race-signature.ts'
import type { RaceDraft } from '../../drafts/drafts.ts'

/** What reading a file needs of the writer that takes its drafts. */
export type DraftWriter = Pick<
  RacingWriter,
  | 'hasRace'
  | 'wrote'
  | 'twinOf'
  | 'writeHorses'
  | 'writePeople'
  | 'writeRaces'
  | 'writeDividends'
  | 'writeOddsTicks'
  | 'writeForm'
  | 'writeRaceNames'
>

/** Takes drafts without writing them, so that files can be read to their end before anything is written. */
export class Rehearsal implements DraftWriter {
  private readonly stored: ReadonlySet<string>
  private readonly twins: Twins
  private readonly written = new Set<string>()

  /** `stored`: ids of the races in the database. */
  constructor(stored: ReadonlySet<string>, twins: Twins) {
    this.stored = stored
    this.twins = twins
  }

  hasRace(raceId: string): boolean {
    return this.stored.has(raceId) || this.written.has(raceId)
  }

  wrote(raceId: string): boolean {
    return this.written.has(raceId)
  }

  twinOf(race: RaceDraft): Promise<string | null> {
    return this.twins.of(race)
  }

  async writeRaces(races: readonly RaceDraft[]): Promise<void> {
    for (const { id } of races) this.written.add(id)
  }

  async writeHorses(): Promise<void> {}
  async writePeople(): Promise<void> {}
  async writeDividends(): Promise<void> {}
  async writeOddsTicks(): Promise<void> {}
  async writeForm(): Promise<void> {}
  async writeRaceNames(): Promise<void> {}
}
