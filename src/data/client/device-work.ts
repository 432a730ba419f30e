import { onDevice } from '../../storage/stored-text.ts'

/** What a user works on is stored on the device under these names, whoever is signed in; signing out can delete it. */
export const CONSOLE_KEY = 'furlong-console'
export const CHANCES_KEY = 'furlong-own-chances'
export const OWN_ROLES_KEY = 'furlong-own-roles'
export const OWN_CHOICES_KEY = 'furlong-own-choices'
/** Folder in the browser's origin private file system (OPFS) for the file that the user chose to store. */
export const OWN_FOLDER = 'furlong-own-data'
export const SEEN_MATCHES_KEY = 'furlong-seen-matches'
export const REVEALED_SEASONS_KEY = 'furlong-revealed-seasons'

const KEYS = [
  CONSOLE_KEY,
  CHANCES_KEY,
  OWN_ROLES_KEY,
  OWN_CHOICES_KEY,
  SEEN_MATCHES_KEY,
  REVEALED_SEASONS_KEY,
]

/** A kind of work of which something is stored. */
export type DeviceWork = 'console' | 'chances' | 'own'

const isStored = (key: string): boolean => ![null, '{}'].includes(onDevice.read(key))

/** The DOM library's types lack iteration of directories. */
const namesIn = (folder: FileSystemDirectoryHandle): AsyncIterable<string> =>
  (folder as unknown as { keys(): AsyncIterable<string> }).keys()

async function hasOwnFile(): Promise<boolean> {
  try {
    const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle(OWN_FOLDER)
    for await (const _ of namesIn(folder)) return true
  } catch {
    // There is no such folder, or no such storage.
  }
  return false
}

/** The kinds of work that this device has stored. */
export async function findDeviceWork(): Promise<DeviceWork[]> {
  const own = isStored(OWN_ROLES_KEY) || (await hasOwnFile())
  const found = { console: isStored(CONSOLE_KEY), chances: isStored(CHANCES_KEY), own }
  return (['console', 'chances', 'own'] as const).filter((kind) => found[kind])
}

/** Deletes all work that this device has stored. Throws if the browser refuses to delete the own file. */
export async function deleteDeviceWork(): Promise<void> {
  for (const key of KEYS) onDevice.remove(key)
  if (!(await hasOwnFile())) return
  const storage = await navigator.storage.getDirectory()
  await storage.removeEntry(OWN_FOLDER, { recursive: true })
}
