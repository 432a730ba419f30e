import { OWN_ROLES, type OwnRoles } from '../../../domain/own-columns.ts'

/** Folder of the browser's own storage (OPFS) that has the file which a reader chose to keep. */
const FOLDER = 'furlong-own-data'
const ROLES = 'furlong-own-roles'

const folder = async (): Promise<FileSystemDirectoryHandle> =>
  (await navigator.storage.getDirectory()).getDirectoryHandle(FOLDER, { create: true })

async function emptied(): Promise<FileSystemDirectoryHandle> {
  const kept = await folder()
  const names: string[] = []
  for await (const [name] of entriesOf(kept)) names.push(name)
  for (const name of names) await kept.removeEntry(name)
  return kept
}

/** The library's types have no iteration of folders. */
const entriesOf = (handle: FileSystemDirectoryHandle): AsyncIterable<[string, FileSystemHandle]> =>
  (handle as unknown as { entries(): AsyncIterable<[string, FileSystemHandle]> }).entries()

/** The file that was kept; `null` where there is none, or the browser has no such storage. */
export async function readKept(): Promise<File | null> {
  try {
    for await (const [, handle] of entriesOf(await folder())) {
      if (handle.kind === 'file') return await (handle as FileSystemFileHandle).getFile()
    }
  } catch {
    // A private window has none.
  }
  return null
}

/** Keeps a file in the place of the one before. Returns whether the browser did; where it did not, nothing is kept. */
export async function keepFile(file: File): Promise<boolean> {
  try {
    const kept = await emptied()
    const handle = await kept.getFileHandle(file.name, { create: true })
    const writer = await handle.createWritable()
    await file.stream().pipeTo(writer)
    return true
  } catch {
    // A file that was begun is no file.
    await emptied().catch(() => undefined)
    return false
  }
}

/** Removes what was kept, with what its columns are for. Returns whether nothing is left. */
export async function forgetFile(): Promise<boolean> {
  localStorage.removeItem(ROLES)
  try {
    await emptied()
    return true
  } catch {
    // A browser without such storage has nothing to remove.
    return (await readKept()) === null
  }
}

type Named = readonly { name: string }[]

const namesOf = (columns: Named): string => JSON.stringify(columns.map(({ name }) => name))

/** What the columns of a file of this name, with the same columns, were last said to be for. */
export function readRoles(name: string, columns: Named): OwnRoles | null {
  try {
    const stored = JSON.parse(localStorage.getItem(ROLES) ?? 'null') as Record<string, unknown> | null
    if (stored?.['name'] !== name || stored['columns'] !== namesOf(columns)) return null
    const roles = stored['roles'] as Record<string, unknown>
    return Object.fromEntries(
      OWN_ROLES.flatMap((role) => {
        const at = Number(roles[role])
        return Number.isInteger(at) && at >= 0 && at < columns.length ? [[role, at]] : []
      }),
    )
  } catch {
    return null
  }
}

export function keepRoles(name: string, columns: Named, roles: OwnRoles): void {
  try {
    localStorage.setItem(ROLES, JSON.stringify({ name, columns: namesOf(columns), roles }))
  } catch {
    // Storage that is full or switched off: the columns are guessed again.
  }
}
