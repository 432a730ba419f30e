import { protocol } from '@electric-sql/pglite'
import { expect, test } from 'vitest'
import { AnswerReader } from '../../server/db/embedded/answer-reader.ts'

const int = (value: number, bytes: 2 | 4): Buffer => {
  const buffer = Buffer.alloc(bytes)
  buffer.writeIntBE(value, 0, bytes)
  return buffer
}
const message = (kind: string, ...body: Buffer[]): Buffer => {
  const content = Buffer.concat(body)
  return Buffer.concat([Buffer.from(kind), int(content.length + 4, 4), content])
}
const row = (...cells: (string | null)[]): Buffer =>
  message(
    'D',
    int(cells.length, 2),
    ...cells.flatMap((cell) =>
      cell === null ? [int(-1, 4)] : [int(Buffer.byteLength(cell), 4), Buffer.from(cell)],
    ),
  )
const failure = message('E', Buffer.from('SERROR\0C23505\0Mduplicate key\0\0'))
const ANSWER = Buffer.concat([
  message('2'),
  row('1', null, '', '沙田 Sha Tin', 'é'.repeat(300)),
  row('2', 'x', '\u{1f40e}', null, ''),
  row(),
  message('C', Buffer.from('SELECT 3\0')),
  message('Z', Buffer.from('I')),
])

function readIn(parts: readonly Uint8Array[]): AnswerReader {
  const reader = new AnswerReader()
  for (const part of parts) {
    const data = Uint8Array.from(part)
    reader.take(data)
    // As the database does with its memory.
    data.fill(0)
  }
  return reader
}

function asPglite(bytes: Buffer): unknown[] {
  const messages: unknown[] = []
  new protocol.Parser().parse(bytes, (each) => messages.push(each))
  return messages
}

test('an answer is read as PGlite reads it', () => {
  const { messages, error } = readIn([ANSWER])
  expect(messages).toEqual(asPglite(ANSWER))
  expect(error).toBeNull()
})

test('an answer divided anywhere is the same answer', () => {
  const whole = asPglite(ANSWER)
  for (let at = 0; at <= ANSWER.length; at += 1)
    expect(readIn([ANSWER.subarray(0, at), ANSWER.subarray(at)]).messages).toEqual(whole)
  expect(readIn([...ANSWER].map((byte) => Uint8Array.of(byte))).messages).toEqual(whole)
})

test('the first error of an answer is kept', () => {
  const { error, messages } = readIn([Buffer.concat([failure, message('Z', Buffer.from('E'))])])
  expect(error).toMatchObject({ code: '23505', message: 'duplicate key' })
  expect(error).toBeInstanceOf(protocol.messages.DatabaseError)
  expect(messages).toHaveLength(2)
})
