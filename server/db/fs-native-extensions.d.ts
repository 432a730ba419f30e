declare module 'fs-native-extensions' {
  /** Tries to take an exclusive lock on an open file; closing the file releases it. */
  export function tryLock(file: number): boolean
}
