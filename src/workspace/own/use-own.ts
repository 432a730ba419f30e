import { useCallback, useEffect, useRef, useState, type RefObject } from 'react'
import type { ModelId } from '../../../contract/model-ids.ts'
import {
  NO_CHOICES,
  type OwnChoices,
  type OwnFile,
  type OwnMatch,
  type OwnProgress,
} from '../../../analytics/own-api.ts'
import { hasKeys, OWN_ROLES, type OwnRoles } from '../../../domain/reading/own-columns.ts'
import { FurlongError } from '../../../domain/errors.ts'
import { baseUrl } from '../../data/client/api-client.ts'
import { memoryLimitMb } from '../../data/analytics/engine-state.ts'
import { OwnConnection } from '../../data/analytics/own.ts'
import { setOwnTable } from '../../data/analytics/own-rows.ts'
import { useScope } from '../../data/analytics/use-analytics.ts'
import { isCode } from '../../data/client/errors.ts'
import { useVipToken } from '../../data/use-session.ts'
import {
  deleteFile,
  readChoices,
  readFile,
  readRoles,
  storeChoices,
  storeFile,
  storeRoles,
} from './stored-file.ts'

/** The file of this session, which survives switching to another tab of the workspace and back. */
let current: { file: File; isStored: boolean } | null = null
/** How many files have been chosen in this session: a removal that is complete only later belongs to the file before. */
let chosenFiles = 0
/** The last removal of the stored file, after which it is found no more. */
let removal: Promise<boolean> | null = null

type OwnState =
  | { kind: 'none'; error: unknown }
  | { kind: 'reading'; name: string; progress: OwnProgress | null }
  | {
      kind: 'read'
      name: string
      file: OwnFile
      roles: OwnRoles
      choices: OwnChoices
      match: Matching
      isStored: boolean
      /** Why the file could not be read as the reader chose, so that it is read another way; `null` if it was. */
      refused: unknown
    }

type Matching =
  | { kind: 'waiting' }
  | { kind: 'failed'; error: unknown }
  | { kind: 'done'; match: OwnMatch; number: number }

let matches = 0

type SetState = (next: (before: OwnState) => OwnState) => void

interface MatchRequest {
  roles: OwnRoles
  choices: OwnChoices
  columns: OwnFile['columns']
  /** The number of the reading that it belongs to. */
  mine: number
}

/** Matches a file's rows with the region's starters, and offers the matched rows to the workspace. */
function useMatch(regionId: string, readingRef: RefObject<number>, setState: SetState) {
  return useCallback(
    async (to: OwnConnection, { roles, choices, columns, mine }: MatchRequest): Promise<void> => {
      const set = (matching: Matching): void => {
        if (readingRef.current === mine)
          setState((before) => (before.kind === 'read' ? { ...before, match: matching } : before))
      }
      try {
        const match = await to.match(roles, choices.dayOrder)
        const bytes = match.matched === 0 ? null : await to.table()
        if (readingRef.current !== mine) return
        const keys = OWN_ROLES.filter((role) => role !== 'probability').map((role) => roles[role])
        const numbers = columns.filter(
          ({ kind, filled, counts }, at) => kind === 'number' && filled > 0 && !counts && !keys.includes(at),
        )
        setOwnTable(bytes === null ? null : { regionId, bytes, columns, numbers })
        matches += 1
        set({ kind: 'done', match, number: matches })
      } catch (error) {
        if (readingRef.current === mine) setOwnTable(null)
        set({ kind: 'failed', error })
      }
    },
    [regionId, readingRef, setState],
  )
}
type Match = ReturnType<typeof useMatch>

const isReadAlike = (one: OwnChoices, other: OwnChoices): boolean =>
  one.encoding === other.encoding && one.decimal === other.decimal

/** How a file is read until it can be: as the reader chose, as before that, and as it suggests itself. */
const attemptsOf = (file: File, before: OwnChoices): OwnChoices[] =>
  [readChoices(file), before, NO_CHOICES].filter(
    (each, at, all) => all.findIndex((other) => isReadAlike(each, other)) === at,
  )

interface ReadRequest {
  file: File
  isStored: boolean
  /** The choices with which the file was read before. */
  before?: OwnChoices
}

/**
 * Reads a file, and matches it if its columns name races and horses. Until then the workspace keeps the rows that it has of
 * the same file: a reader who comes back to the file and leaves it again at once loses none of its filters.
 */
function useRead(match: Match, readingRef: RefObject<number>, setState: SetState) {
  return useCallback(
    async (to: OwnConnection, { file, isStored, before }: ReadRequest): Promise<void> => {
      readingRef.current += 1
      const mine = readingRef.current
      const [chosen, ...others] = attemptsOf(file, before ?? NO_CHOICES)
      let choices = chosen!
      let refused: unknown = null
      const set = (state: OwnState): void => {
        if (readingRef.current === mine) setState(() => state)
      }
      set({ kind: 'reading', name: file.name, progress: null })
      const readAs = (): Promise<OwnFile> =>
        to
          .read(file, choices, (progress) => set({ kind: 'reading', name: file.name, progress }))
          .catch((error: unknown) => {
            const next = others.shift()
            // What the reader tried may not suit the file, which then is none that cannot be read.
            if (readingRef.current !== mine || next === undefined || !isCode(error, 'own-file')) throw error
            refused ??= error
            choices = next
            storeChoices(file, choices)
            return readAs()
          })
      try {
        const described = await readAs()
        if (readingRef.current !== mine) return
        const { columns } = described
        const roles = readRoles(file.name, columns) ?? described.roles
        set({
          kind: 'read',
          name: file.name,
          file: described,
          roles,
          choices,
          match: { kind: 'waiting' },
          isStored,
          refused,
        })
        if (hasKeys(roles)) await match(to, { roles, choices, columns, mine })
      } catch (error) {
        if (readingRef.current !== mine) return
        current = null
        setOwnTable(null)
        // Otherwise a stored file that cannot be read would fail again on every visit.
        if (isStored && isCode(error, 'own-file')) await deleteFile()
        // What was never read so is not how the copy on the device is read the next time.
        if (before !== undefined && isCode(error, 'query-cancelled')) storeChoices(file, before)
        setState(() => ({ kind: 'none', error: isCode(error, 'query-cancelled') ? null : error }))
      }
    },
    [match, readingRef, setState],
  )
}

/** A connection for each set of files, which reads the file of this session, or the stored one. */
function useConnection(
  model: ModelId,
  read: ReturnType<typeof useRead>,
  readingRef: RefObject<number>,
): OwnConnection | null {
  const { regionId, asOf } = useScope()
  const token = useVipToken()
  const [connection, setConnection] = useState<OwnConnection | null>(null)
  useEffect(() => {
    if (token === undefined) return undefined
    const made = new OwnConnection({
      baseUrl: baseUrl(),
      regionId,
      model,
      seasons: 'all',
      token,
      memoryLimitMb: memoryLimitMb(),
    })
    let gone = false
    const begin = async (): Promise<void> => {
      // Before anything is awaited: a file that is chosen meanwhile would go to the closed connection of older files.
      setConnection(made)
      if (current === null) {
        await removal
        const stored = await readFile()
        // A file that was chosen meanwhile is read instead of the stored one.
        if (gone || stored === null || current !== null) return
        current = { file: stored, isStored: true }
      }
      await read(made, current)
    }
    void begin()
    return () => {
      gone = true
      readingRef.current += 1
      made.close()
    }
    // New files require a new connection.
  }, [regionId, asOf, model, token, read, readingRef])
  return connection
}

/** Stores the file of this session on the device; resolves to whether it succeeded. */
async function storeCurrent(setState: SetState): Promise<boolean> {
  const mine = current
  if (mine === null) return false
  const isStored = await storeFile(mine.file)
  if (current !== mine) {
    // The file was removed or replaced meanwhile.
    await deleteFile()
    return false
  }
  if (isStored) {
    current = { ...mine, isStored }
    setState((before) => (before.kind === 'read' ? { ...before, isStored } : before))
  }
  return isStored
}

/** The user's own file: read, matched to the region's starters, and stored if the user chooses so. */
export function useOwn(model: ModelId) {
  const { regionId } = useScope()
  const [state, setState] = useState<OwnState>({ kind: 'none', error: null })
  /** The number of the newest reading: an older one changes nothing any more. */
  const readingRef = useRef(0)
  const match = useMatch(regionId, readingRef, setState)
  const read = useRead(match, readingRef, setState)
  const connection = useConnection(model, read, readingRef)
  const rematch = (to: OwnConnection, next: Extract<OwnState, { kind: 'read' }>): void => {
    const { roles, choices, file } = next
    readingRef.current += 1
    setState({ ...next, match: { kind: 'waiting' }, refused: null })
    setOwnTable(null)
    if (hasKeys(roles)) void match(to, { roles, choices, columns: file.columns, mine: readingRef.current })
  }
  return {
    state,
    connection,
    choose: (file: File): void => {
      if (connection === null) return
      chosenFiles += 1
      storeChoices(file, NO_CHOICES)
      current = { file, isStored: false }
      setOwnTable(null)
      void read(connection, current)
    },
    cancel: (): void => connection?.cancel(),
    setRoles: (roles: OwnRoles): void => {
      if (state.kind !== 'read' || connection === null) return
      storeRoles(state.name, state.file.columns, roles)
      rematch(connection, { ...state, roles })
    },
    /** Reads the file again, or matches it again if only the order of its days is another one. */
    setChoices: (choices: OwnChoices): void => {
      if (state.kind !== 'read' || connection === null || current === null) return
      storeChoices(current.file, choices)
      if (isReadAlike(choices, state.choices)) rematch(connection, { ...state, choices })
      else {
        setOwnTable(null)
        void read(connection, { ...current, before: state.choices })
      }
    },
    /** Stores the file on the device; resolves to whether it succeeded. */
    store: (): Promise<boolean> => storeCurrent(setState),
    /** Removes the file, including the copy stored on the device. */
    remove: async (): Promise<void> => {
      readingRef.current += 1
      const chosen = chosenFiles
      current = null
      // The removal is shown only once it is complete: if the page is closed before,
      // the file is still stored.
      removal = deleteFile()
      const removed = await removal
      // After a second click the next file can be chosen before the second removal is complete.
      if (chosenFiles !== chosen) return
      setOwnTable(null)
      setState({ kind: 'none', error: removed ? null : new FurlongError('own-not-removed') })
    },
  }
}

export type Own = ReturnType<typeof useOwn>
