import { NO_CHOICES, OWN_ENCODINGS, type OwnChoices } from '../../../analytics/own-api.ts'
import { OWN_ROLES, type OwnRoles } from '../../../domain/reading/own-columns.ts'
import { DAY_ORDERS } from '../../../domain/reading/read-day.ts'
import { onDevice } from '../../storage/stored-text.ts'
import { OWN_CHOICES_KEY, OWN_FOLDER, OWN_ROLES_KEY } from '../../data/client/device-work.ts'

const folder = async (): Promise<FileSystemDirectoryHandle> =>
  (await navigator.storage.getDirectory()).getDirectoryHandle(OWN_FOLDER, { create: true })

async function emptied(): Promise<FileSystemDirectoryHandle> {
  const directory = await folder()
  const names: string[] = []
  for await (const [name] of entriesOf(directory)) names.push(name)
  for (const name of names) await directory.removeEntry(name)
  return directory
}

/** The DOM library's types lack iteration of directories. */
const entriesOf = (handle: FileSystemDirectoryHandle): AsyncIterable<[string, FileSystemHandle]> =>
  (handle as unknown as { entries(): AsyncIterable<[string, FileSystemHandle]> }).entries()

/** The stored file; `null` if there is none, or if the browser does not support OPFS. */
export async function readFile(): Promise<File | null> {
  try {
    for await (const [, handle] of entriesOf(await folder())) {
      if (handle.kind === 'file') return await (handle as FileSystemFileHandle).getFile()
    }
  } catch {
    // Private windows have no such storage.
  }
  return null
}

/**
 * Stores a file, replacing the previous one. Returns whether it succeeded; after a failure nothing is stored.
 */
export async function storeFile(file: File): Promise<boolean> {
  try {
    const directory = await emptied()
    const handle = await directory.getFileHandle(file.name, { create: true })
    const writer = await handle.createWritable()
    await file.stream().pipeTo(writer)
    return true
  } catch {
    // Deletes a partially written file.
    await emptied().catch(() => undefined)
    return false
  }
}

/** Deletes the stored file, the roles of its columns and how it is read. Returns whether nothing is left. */
export async function deleteFile(): Promise<boolean> {
  onDevice.remove(OWN_ROLES_KEY)
  onDevice.remove(OWN_CHOICES_KEY)
  try {
    await emptied()
    return true
  } catch {
    // A browser without such storage has nothing to delete.
    return (await readFile()) === null
  }
}

type Named = readonly { name: string }[]

const namesOf = (columns: Named): string => JSON.stringify(columns.map(({ name }) => name))

/** The roles last assigned to the columns of a file with this name and the same columns. */
export function readRoles(name: string, columns: Named): OwnRoles | null {
  try {
    const stored = onDevice.readJson(OWN_ROLES_KEY) as Record<string, unknown> | null
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

export function storeRoles(name: string, columns: Named, roles: OwnRoles): void {
  // If storage is full or blocked, the roles will be guessed again.
  onDevice.writeJson(OWN_ROLES_KEY, { name, columns: namesOf(columns), roles })
}

type Sized = Pick<File, 'name' | 'size'>

/** How a file with this name and size was last read. */
export function readChoices({ name, size }: Sized): OwnChoices {
  const stored = onDevice.readJson(OWN_CHOICES_KEY) as Record<string, unknown> | null
  if (stored?.['name'] !== name || stored['size'] !== size) return NO_CHOICES
  return {
    encoding: OWN_ENCODINGS.find((each) => each === stored['encoding']) ?? null,
    decimal: (['.', ','] as const).find((each) => each === stored['decimal']) ?? null,
    dayOrder: DAY_ORDERS.find((each) => each === stored['dayOrder']) ?? null,
  }
}

export function storeChoices({ name, size }: Sized, choices: OwnChoices): void {
  // If storage is full or blocked, the file is read as it suggests itself the next time.
  onDevice.writeJson(OWN_CHOICES_KEY, { name, size, ...choices })
}
