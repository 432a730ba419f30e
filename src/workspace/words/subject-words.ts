import type { Subject } from '../../../analytics/view/view.ts'

/** Message ids of what a subject's rows and their hits are called. */
interface SubjectWords {
  count: string
  hits: string
  hitRate: string
  /** The heading of the list. */
  list: string
  /** So many hits of so many rows. */
  total: string
  /** What is read out when the figures change, without and with the interval of the hit rate. */
  announce: string
  announceInterval: string
}

const WORDS: Readonly<Record<Subject, SubjectWords>> = {
  predictions: {
    count: 'record.predictions',
    hits: 'record.hits',
    hitRate: 'record.hitRate',
    list: 'record.list',
    total: 'record.totalOf',
    announce: 'workspace.announce',
    announceInterval: 'workspace.announceInterval',
  },
  runners: {
    count: 'workspace.runs',
    hits: 'workspace.wins',
    hitRate: 'workspace.winRate',
    list: 'workspace.everyRunner',
    total: 'workspace.winsOf',
    announce: 'workspace.announceRuns',
    announceInterval: 'workspace.announceRunsInterval',
  },
  races: {
    count: 'workspace.races',
    hits: 'workspace.firstWins',
    hitRate: 'workspace.firstWinRate',
    list: 'workspace.everyRace',
    total: 'workspace.firstWinsOf',
    announce: 'workspace.announceRaces',
    announceInterval: 'workspace.announceRacesInterval',
  },
}

export const subjectWords = (subject: Subject): SubjectWords => WORDS[subject]
