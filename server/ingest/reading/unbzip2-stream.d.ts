/** Reads a number of bits, of bytes that it asks for when it needs them. */
interface BitsOfBytes {
  (count: number | null): number
  /** Of which at least one bit was read. */
  bytesRead: number
}

declare module 'unbzip2-stream/lib/bit_iterator.js' {
  export default function bitIterator(nextBytes: () => Uint8Array): BitsOfBytes
}

declare module 'unbzip2-stream/lib/bzip2.js' {
  const bzip2: {
    /** The size of the blocks that follow, from 1 to 9. Throws if there is none. */
    header(bits: BitsOfBytes): number
    /**
     * Gives the bytes of a block to `put`; `work` has 100,000 places for each step of its size. Returns the sum of the blocks so far,
     * `null` at their end. Throws if a sum does not match, or if it is no block.
     */
    decompress(
      bits: BitsOfBytes,
      put: (byte: number) => void,
      work: Int32Array,
      places: number,
      sum: number | null,
    ): number | null
  }
  export default bzip2
}
