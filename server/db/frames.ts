import type { Socket } from 'node:net'
import { deserialize, serialize } from 'node:v8'

const HEAD_BYTES = 4
/** Larger than any valid message; a longer frame is a bug or comes from a client with another protocol. */
const MAX_BYTES = 1_000_000_000

/** Sends one value over a socket: its length in four bytes, then the value as serialized by Node. */
export function sendFrame(socket: Socket, value: unknown): void {
  if (!socket.writable) return
  const body = serialize(value)
  const head = Buffer.alloc(HEAD_BYTES)
  head.writeUInt32BE(body.length)
  socket.cork()
  socket.write(head)
  socket.write(body)
  socket.uncork()
}

/** Calls `onValue` for each received value, in order. Invalid data closes the connection. */
export function readFrames(socket: Socket, onValue: (value: unknown) => void): void {
  let chunks: Buffer[] = []
  let bytes = 0
  let wanted: number | null = null
  const take = (length: number): Buffer => {
    const all = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
    bytes -= length
    chunks = bytes > 0 ? [all.subarray(length)] : []
    return all.subarray(0, length)
  }
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    bytes += chunk.length
    try {
      for (;;) {
        if (wanted === null) {
          if (bytes < HEAD_BYTES) return
          wanted = take(HEAD_BYTES).readUInt32BE()
          if (wanted > MAX_BYTES) throw new Error(`a frame of ${wanted} bytes`)
        }
        if (bytes < wanted) return
        const body = take(wanted)
        wanted = null
        onValue(deserialize(body))
      }
    } catch (error) {
      socket.destroy(error as Error)
    }
  })
}
