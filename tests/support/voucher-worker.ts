// Spends and gives vouchers at random, several at once, and prints how many operations are done. Its parent kills it
// partway.
import { randomInt } from 'node:crypto'
import { asFurlongError } from '../../domain/errors.ts'
import { assemble } from '../../server/serving/assemble.ts'
import { readSettings } from '../../server/process/env.ts'
import { subscribe } from '../../server/services/vouchers.ts'
import { newId } from '../../server/db/id.ts'
import { openDatabase } from '../../server/db/open.ts'
import { addVouchers } from '../../server/store/accounts/voucher-store.ts'

const [from, to] = process.argv.slice(2).map(Number)
const settings = readSettings()
const database = await openDatabase(settings)
const { service } = assemble(settings, database, null)
const customers = await database.rows<{ id: string }>('select id from customer order by id')
const races = await database.rows<{ id: string }>('select id from race order by id')
let next = from!
let done = from!

async function work(): Promise<void> {
  while (next < to!) {
    next += 1
    const { id } = customers[randomInt(customers.length)]!
    if (randomInt(4) === 0) {
      const change = {
        customerId: id,
        reason: 'operator',
        amount: 1 + randomInt(3),
        reference: newId(),
      } as const
      await database.transaction((queries) => addVouchers(queries, change, new Date()))
    } else {
      await subscribe(service, id, races[randomInt(races.length)]!.id).catch((error: unknown) => {
        if (asFurlongError(error).code !== 'no-voucher') throw error
      })
    }
    done += 1
    if (done % 100 === 0) process.stdout.write(`${done}\n`)
  }
}

await Promise.all(Array.from({ length: 6 }, work))
process.stdout.write('finished\n')
await database.close()
