declare module 'unbzip2-stream' {
  /** A stream that takes bzip2 and gives what was compressed; an error, or a sum that does not match, is emitted. */
  export default function unbzip2(): NodeJS.ReadWriteStream
}
