import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { FurlongError } from '../../domain/errors.ts'
import { FairQueue } from '../process/fair-queue.ts'
import { forkHelper } from '../process/program.ts'

/** Longest side of a stored picture, in pixels. */
export const PICTURE_SIZES = { avatar: 256, picture: 1600 } as const
export type PictureKind = keyof typeof PICTURE_SIZES

export interface PictureRequest {
  bytes: Uint8Array
  kind: PictureKind
}
export interface PictureReply {
  /** WebP; `null` if it is not a picture. */
  content: Uint8Array | null
}

const DECODE_TIMEOUT_MS = 10_000
/** An idle process is ended after this time, to free its memory. */
const IDLE_MS = 5000
/** About what a picture takes that fills the limits; milliseconds. */
const DECODE_MS = 500

/**
 * Recognises pictures by their content, regardless of their file name, and re-encodes them as WebP: one at a time in a
 * separate process, which is ended when it times out or is idle. Customers take turns, so that the pictures of one wait
 * for those of the others.
 */
export function pictureReader() {
  let child: ChildProcess | null = null
  let idle: NodeJS.Timeout | undefined
  const queue = new FairQueue({
    running: 1,
    waiting: 30,
    waitingOfOne: 6,
    waitMs: 60_000,
    refusal: 'busy',
  })

  const end = (): void => {
    child?.kill('SIGKILL')
    child = null
  }
  const decode = async (request: PictureRequest): Promise<PictureReply> => {
    clearTimeout(idle)
    // A process that died while idle is replaced; its exit says nothing about the next picture.
    const mine = child?.connected ? child : forkHelper('picture-process')
    child = mine
    const ended = new AbortController()
    const abort = (): void => ended.abort()
    // Not `AbortSignal.timeout`: one that only `AbortSignal.any` refers to can be collected before it fires (Node 20).
    const late = setTimeout(abort, DECODE_TIMEOUT_MS)
    mine.once('exit', abort)
    const replied = once(mine, 'message', { signal: ended.signal })
    // Without free file descriptors there is no channel: sending throws, and nothing waits for the reply.
    replied.catch(() => {})
    try {
      mine.send(request)
      const [reply] = await replied
      return reply as PictureReply
    } catch {
      end()
      throw new FurlongError('not-an-image')
    } finally {
      clearTimeout(late)
      mine.removeAllListeners()
      idle = setTimeout(end, IDLE_MS).unref()
    }
  }
  return {
    /** Throws `not-an-image`, `busy`. */
    read: async (bytes: Uint8Array, kind: PictureKind, customerId: string): Promise<Buffer> => {
      const { content } = await queue.run([customerId], DECODE_MS, () => decode({ bytes, kind }))
      if (content === null) throw new FurlongError('not-an-image')
      return Buffer.from(content)
    },
    close: end,
  }
}
