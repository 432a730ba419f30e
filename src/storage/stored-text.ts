/**
 * Every access of the site to the browser's storage. A browser whose settings block storage throws where a page only
 * reads it, and a full one where a page writes; neither may stop a page.
 */
export interface StoredText {
  /** The text under a key; `null` if there is none. */
  read(key: string): string | null
  /** The JSON value under a key; `null` if there is none, or none that can be read. The caller checks its shape. */
  readJson(key: string): unknown
  /** Stores a text. Returns `false` if the browser refused: this page then knows it until it is closed. */
  write(key: string, text: string): boolean
  /** Stores a value as JSON, like `write`. */
  writeJson(key: string, value: unknown): boolean
  remove(key: string): void
  /** Whether the browser refuses storage to this page altogether. */
  isBlocked(): boolean
}

/** `open` returns the browser's storage, or throws. */
function storedText(open: () => Storage): StoredText {
  /** What the browser refused to store. */
  const unsaved = new Map<string, string>()
  const read = (key: string): string | null => {
    const text = unsaved.get(key)
    if (text !== undefined) return text
    try {
      return open().getItem(key)
    } catch {
      return null
    }
  }
  const write = (key: string, text: string): boolean => {
    try {
      open().setItem(key, text)
      unsaved.delete(key)
      return true
    } catch {
      unsaved.set(key, text)
      return false
    }
  }
  return {
    read,
    readJson: (key) => {
      try {
        return JSON.parse(read(key) ?? 'null') as unknown
      } catch {
        return null
      }
    },
    write,
    writeJson: (key, value) => write(key, JSON.stringify(value)),
    remove: (key) => {
      unsaved.delete(key)
      try {
        open().removeItem(key)
      } catch {
        // Blocked storage holds nothing that could be deleted.
      }
    },
    isBlocked: () => {
      try {
        open().getItem('')
        return false
      } catch {
        return true
      }
    },
  }
}

/** Kept on the device, for every tab of the site. */
export const onDevice = storedText(() => globalThis.localStorage)

/** Kept until the tab is closed. */
export const inTab = storedText(() => globalThis.sessionStorage)
