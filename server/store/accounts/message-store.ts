import { isAny, type Queries } from '../../db/database.ts'
import { newId } from '../../db/id.ts'

/** A message of a customer to the operator. */
export interface Message {
  id: string
  account: string
  /** Where the customer wants the answer; the account's phone unless another address was given. */
  answerTo: string
  content: string
  /** Ids of stored files. */
  pictures: string[]
  createdAt: string
  answeredAt: string | null
}

/** Stores a message and returns its id; `null` if one of the pictures is not the customer's. */
export async function insertMessage(
  { rows }: Queries,
  message: {
    customerId: string
    content: string
    answerTo: string | null
    pictures: readonly string[]
    now: Date
  },
): Promise<string | null> {
  const id = newId()
  const own = await rows<{ id: string }>(
    'select id from stored_file where id = any($1::uuid[]) and customer_id = $2::uuid for key share',
    [message.pictures, message.customerId],
  )
  if (own.length < new Set(message.pictures).size) return null
  await rows(
    'insert into message (id, customer_id, content, answer_to, created_at) values ($1::uuid, $2::uuid, $3, $4, $5)',
    [id, message.customerId, message.content, message.answerTo, message.now],
  )
  await rows('insert into message_picture (message_id, file_id) select $1::uuid, unnest($2::uuid[])', [
    id,
    own.map((file) => file.id),
  ])
  return id
}

/** Messages, the oldest first: those that wait longest for an answer, or the newest of all. */
export const listMessages = ({ rows }: Queries, all: boolean, limit: number): Promise<Message[]> =>
  rows(
    `select * from (select message.id, customer.account, coalesce(message.answer_to, customer.phone) as answer_to, message.content,
       array(select file_id::text from message_picture p where p.message_id = message.id order by 1) as pictures,
       message.created_at, message.answered_at
     from message join customer on customer.id = message.customer_id
     where $1::boolean or message.answered_at is null
     order by case when $1::boolean then message.created_at end desc, message.created_at, message.id limit $2) as found
     order by created_at, id`,
    [all, limit],
  )

/** Marks a message as answered. Returns whether there is such a message that was not. */
export const answerMessage = (queries: Queries, id: string, now: Date): Promise<boolean> =>
  isAny(
    queries,
    'update message set answered_at = $2 where id = $1::uuid and answered_at is null returning id',
    [id, now],
  )
