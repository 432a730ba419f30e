import { createServer, request, type IncomingMessage, type Server } from 'node:http'

/**
 * Forwards requests to the `targets`, as a load balancer does, trying the next one when a target does not answer. Can
 * be made to fail.
 */
export class Between {
  fault: number | 'cut' | null = null
  url = ''
  private readonly server: Server

  private constructor(targets: () => readonly string[]) {
    this.server = createServer((incoming, answer) => {
      const parts: Buffer[] = []
      incoming.on('data', (part: Buffer) => parts.push(part))
      incoming.on('end', () => {
        if (this.fault === 'cut') return incoming.socket.destroy()
        if (this.fault !== null) return answer.writeHead(this.fault).end()
        const [first, ...others] = targets()
        const ask = (base: string): void => {
          const { hostname, port } = new URL(base)
          const passed = request({
            hostname,
            port,
            method: incoming.method,
            path: incoming.url,
            headers: incoming.headers,
          })
          passed.once('response', (from: IncomingMessage) => {
            const whole: Buffer[] = []
            from.on('data', (part: Buffer) => whole.push(part))
            from.once('error', again)
            from.once('end', () => {
              answer.writeHead(from.statusCode!, from.headers).end(Buffer.concat(whole))
            })
          })
          let failed = false
          const again = (): void => {
            if (failed) return
            failed = true
            const next = others.shift()
            if (next !== undefined) ask(next)
            else answer.writeHead(502).end()
          }
          passed.once('error', again)
          passed.end(Buffer.concat(parts))
        }
        ask(first!)
      })
    })
  }

  static async start(targets: () => readonly string[]): Promise<Between> {
    const between = new Between(targets)
    await new Promise<void>((resolve) => between.server.listen(0, '127.0.0.1', resolve))
    between.url = `http://127.0.0.1:${(between.server.address() as { port: number }).port}/`
    return between
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections()
    await new Promise((resolve) => this.server.close(resolve))
  }
}
