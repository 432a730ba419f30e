import { writeMessage } from '../../contract/api/message.ts'
import { FurlongError } from '../../domain/errors.ts'
import { attempt } from '../services/limits.ts'
import { fileIdOf } from '../services/pictures.ts'
import { lockCustomer } from '../store/accounts/customer-store.ts'
import { insertMessage } from '../store/accounts/message-store.ts'
import { found, type Answer } from './answer.ts'
import type { Context } from './context.ts'

/** The route for messages of customers to the operator, who reads them with `furlong messages`. */
export function messageRoutes(answer: Answer, { service }: Context): void {
  answer(writeMessage, async ({ viewer, body }) => {
    await attempt(service, { 'message account': viewer.id })
    const id = await service.database.transaction(async (queries) => {
      // Nothing is written after the account is deleted.
      if ((await lockCustomer(queries, viewer.id)) === null) throw new FurlongError('session-ended')
      return insertMessage(queries, {
        customerId: viewer.id,
        content: body.content,
        answerTo: body.answerTo ?? null,
        pictures: body.pictures.map(fileIdOf),
        now: service.now(),
      })
    })
    return { id: found(id) }
  })
}
