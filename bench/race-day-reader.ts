import { WebSocket } from 'ws'
import { ServerMessage } from '../contract/api/socket.ts'

/** One user's socket: records when each message about each race arrived. */
export class Reader {
  readonly heard: { type: string; raceId: string; at: number }[] = []
  readonly isVip: boolean
  readonly opened: Promise<void>
  readonly token: string
  private readonly socket: WebSocket

  constructor(base: string, id: string, token: string, isVip: boolean) {
    this.isVip = isVip
    this.token = token
    this.socket = new WebSocket(new URL(`h5/${id}_app?token=${token}`, base.replace(/^http/, 'ws')))
    this.opened = new Promise((resolve, reject) => {
      this.socket.once('error', reject)
      this.socket.on('message', (text: Buffer) => {
        const message = ServerMessage.parse(JSON.parse(text.toString()))
        if (message.type === 'hello') resolve()
        if ('raceId' in message)
          this.heard.push({ type: message.type, raceId: message.raceId, at: performance.now() })
      })
    })
    const beat = setInterval(() => {
      if (this.socket.readyState === WebSocket.OPEN)
        this.socket.send(JSON.stringify({ type: 'heartbeat', userUid: id }))
    }, 20_000)
    this.socket.on('close', () => clearInterval(beat))
  }

  close(): void {
    this.socket.terminate()
  }
}
