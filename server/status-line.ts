const MIN_INTERVAL_MS = 3000

/** Progress on one line of a terminal, or now and then on a line of its own where there is none. */
export class StatusLine {
  private readonly stream: NodeJS.WriteStream
  private last = 0

  constructor(stream: NodeJS.WriteStream) {
    this.stream = stream
  }

  show(text: string): void {
    if (this.stream.isTTY) {
      this.stream.write(`\r\u001B[K${text}`)
      return
    }
    if (Date.now() - this.last < MIN_INTERVAL_MS) return
    this.last = Date.now()
    this.stream.write(`${text}\n`)
  }

  clear(): void {
    if (this.stream.isTTY) this.stream.write('\r\u001B[K')
  }
}
