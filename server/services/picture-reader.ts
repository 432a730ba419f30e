import { fork, type ChildProcess } from 'node:child_process'
import { FurlongError } from '../../domain/errors.ts'
import { programOf } from '../process/program.ts'

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

/** Recognises pictures by their content, regardless of their file name, and re-encodes them as WebP. */
export interface PictureReader {
  /** Throws `not-an-image`, `busy`. */
  read(bytes: Uint8Array, kind: PictureKind): Promise<Buffer>
  close(): void
}

const PROGRAM = programOf('picture-process')
const DECODE_TIMEOUT_MS = 10_000
/** An idle process is ended after this time, to free its memory. */
const IDLE_MS = 5000
const MAX_WAITING = 30
/** The decoder handles untrusted files, so its environment holds none of the server's secrets. */
const WITHOUT_SECRETS = { PATH: process.env['PATH'], TMPDIR: process.env['TMPDIR'] }

/** Decodes pictures one at a time in a separate process, which is ended when it times out or is idle. */
export function pictureReader(): PictureReader {
  let child: ChildProcess | null = null
  let idle: NodeJS.Timeout | undefined
  let waiting = 0
  let last: Promise<unknown> = Promise.resolve()

  const end = (): void => {
    child?.kill('SIGKILL')
    child = null
  }
  const decode = (request: PictureRequest): Promise<PictureReply> => {
    clearTimeout(idle)
    // A process that died while idle is replaced; its exit says nothing about the next picture.
    const mine = child?.connected
      ? child
      : fork(PROGRAM.file, {
          execArgv: PROGRAM.execArgv,
          serialization: 'advanced',
          stdio: 'ignore',
          env: WITHOUT_SECRETS,
        })
    child = mine
    return new Promise((resolve, reject) => {
      const finish = (settle: () => void): void => {
        clearTimeout(late)
        mine.removeAllListeners()
        idle = setTimeout(end, IDLE_MS)
        idle.unref()
        settle()
      }
      const fail = (): void => {
        end()
        finish(() => reject(new FurlongError('not-an-image')))
      }
      const late = setTimeout(fail, DECODE_TIMEOUT_MS)
      mine.once('message', (reply: PictureReply) => finish(() => resolve(reply)))
      mine.once('exit', fail)
      mine.once('error', fail)
      mine.send(request)
    })
  }
  return {
    read: async (bytes, kind) => {
      if (waiting >= MAX_WAITING) throw new FurlongError('busy')
      waiting += 1
      const mine = last.then(() => decode({ bytes, kind }))
      last = mine.catch(() => undefined)
      try {
        const { content } = await mine
        if (content === null) throw new FurlongError('not-an-image')
        return Buffer.from(content)
      } finally {
        waiting -= 1
      }
    },
    close: end,
  }
}
