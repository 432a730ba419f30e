import { saveFile } from '../../ui/behaviour/save-file.ts'

/**
 * Hands a file to the system's share sheet, and saves it where there is none that takes it, or where the system refuses:
 * `left` if the user closes the sheet.
 */
export async function shareFile(file: File): Promise<'shared' | 'saved' | 'left'> {
  const data = { files: [file] }
  if (typeof navigator.canShare === 'function' && navigator.canShare(data)) {
    try {
      await navigator.share(data)
      return 'shared'
    } catch (error) {
      if (error instanceof DOMException && error.name === 'AbortError') return 'left'
    }
  }
  saveFile(file.name, file)
  return 'saved'
}
