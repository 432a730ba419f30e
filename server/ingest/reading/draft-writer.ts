import type { RacingWriter } from '../../store/racing/racing-writer.ts'

/** What reading a file needs of the writer that takes its drafts. */
export type DraftWriter = Pick<
  RacingWriter,
  | 'hasRace'
  | 'wrote'
  | 'twinOf'
  | 'fieldsOf'
  | 'linesOf'
  | 'oddsTimesOf'
  | 'draftsOf'
  | 'numberedAmong'
  | 'dropNumbered'
  | 'namesOf'
  | 'aliases'
  | 'horsesOf'
  | 'runsOf'
  | 'writeAliases'
  | 'writeHorses'
  | 'writePeople'
  | 'writeRaces'
  | 'writeDividends'
  | 'writeOddsTicks'
  | 'writeForm'
  | 'writeRaceNames'
  | 'writeSections'
>
