const MIN_INTERVAL_MS = 3000

/** Shows progress on one line of a terminal, or as occasional separate lines without a terminal. */
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
