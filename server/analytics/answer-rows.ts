import type { AnalyticsReply } from './protocol.ts'

export type AnswerRows = Pick<Extract<AnalyticsReply, { ok: true }>, 'bytes' | 'rows' | 'milliseconds'>

/** Answers up to a number of bytes; the oldest are dropped first. */
class Part {
  readonly #answers = new Map<string, AnswerRows>()
  readonly #maxBytes: number
  #bytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  take(key: string): AnswerRows | undefined {
    const known = this.#answers.get(key)
    if (known === undefined) return undefined
    this.#answers.delete(key)
    this.#bytes -= known.bytes.length
    return known
  }

  add(key: string, answer: AnswerRows): void {
    this.take(key)
    this.#answers.set(key, answer)
    this.#bytes += answer.bytes.length
    for (const old of this.#answers.keys()) {
      if (this.#bytes <= this.#maxBytes) break
      this.take(old)
    }
  }
}

/**
 * The last answers. Those that were asked for again have most of the place, so that questions that nobody repeats do
 * not push them out.
 */
export class AnswerRowsCache {
  readonly #once: Part
  readonly #again: Part

  constructor(maxBytes: number) {
    this.#once = new Part(maxBytes / 4)
    this.#again = new Part((3 * maxBytes) / 4)
  }

  get(key: string): AnswerRows | undefined {
    const known = this.#again.take(key) ?? this.#once.take(key)
    if (known !== undefined) this.#again.add(key, known)
    return known
  }

  add(key: string, answer: AnswerRows): void {
    this.#once.add(key, answer)
  }
}
