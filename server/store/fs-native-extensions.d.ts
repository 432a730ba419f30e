declare module 'fs-native-extensions' {
  /** Whether the exclusive lock of an open file was granted; it is given back when the file is closed. */
  export function tryLock(file: number): boolean
}
