/**
 * Whether a message of DuckDB says that its memory was not sufficient. A statement that fails while it commits says so only
 * by the hint to raise `memory_limit`.
 *
 * ```ts
 * isOutOfMemory('Out of Memory Error: failed to allocate data') // => true
 * isOutOfMemory('Parser Error: syntax error') // => false
 * ```
 */
export const isOutOfMemory = (message: string): boolean => /out of memory|memory_limit/i.test(message)
