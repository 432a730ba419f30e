import { z } from 'zod'
import { MAX_MESSAGE } from '../message-length.ts'
import { endpoint } from './endpoint.ts'
import { line, text } from './fields.ts'

/** Maximum number of pictures of a message (specification section 5). */
const MAX_MESSAGE_PICTURES = 3

export const writeMessage = endpoint('customer', 'POST /sys/api/customer/messages', {
  summary: 'Sends a message to the operator, with pictures that the customer uploaded before',
  body: z.strictObject({
    content: text(MAX_MESSAGE),
    /** Where the answer is to go; the account's phone without it. */
    answerTo: line(100).optional(),
    /** Paths that the upload returned. */
    pictures: z
      .array(z.string().regex(/^\/sys\/common\/static\/[0-9a-f-]{36}\.webp$/, 'field.invalid'))
      .max(MAX_MESSAGE_PICTURES)
      .default([]),
  }),
  result: z.strictObject({ id: z.uuid() }),
})
