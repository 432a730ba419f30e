import type { Queries } from '../../db/database.ts'
import { anyOf, anyRow, firstRow, instant, oneValue, run, statement } from '../../db/statement.ts'

export type CodePurpose = 'register' | 'login' | 'reset'

/** Whose code it is: a phone's for one purpose, of one known device, or (`deviceHash` empty) of all others. */
export interface CodePlace {
  phone: string
  purpose: CodePurpose
  deviceHash: string
}

/**
 * Stores a new code unless the previous one of its place is younger than `pauseMs`; a previous code dated in
 * the future is replaced. Returns whether the code was stored.
 */
export function writeCode(
  queries: Queries,
  place: CodePlace,
  code: { hash: string; lifeMs: number; pauseMs: number },
  now: Date,
): Promise<boolean> {
  const earliest = new Date(now.getTime() - code.pauseMs)
  const sent = {
    codeHash: code.hash,
    sentAt: now,
    expiresAt: new Date(now.getTime() + code.lifeMs),
  }
  return statement
    .insertInto('textedCode')
    .values({ ...place, ...sent })
    .onConflict((conflict) =>
      conflict
        .columns(['phone', 'purpose', 'deviceHash'])
        .doUpdateSet({ ...sent, tries: 0, usedAt: null })
        .where(({ eb, or }) =>
          or([eb('textedCode.sentAt', '<=', instant(earliest)), eb('textedCode.sentAt', '>', instant(now))]),
        ),
    )
    .returning('phone')
    .$call(anyRow(queries))
}

export async function codeSentAt(queries: Queries, place: CodePlace): Promise<Date | null> {
  const sent = await statement
    .selectFrom('textedCode')
    .select('sentAt')
    .where('phone', '=', place.phone)
    .where('purpose', '=', place.purpose)
    .where('deviceHash', '=', place.deviceHash)
    .$call(oneValue(queries))
  return sent === null ? null : new Date(sent)
}

/** The code that can still be used of one of some places: a device's own before the one that others share. */
export const findOpenCode = (
  queries: Queries,
  { phone, purpose, devices }: Pick<CodePlace, 'phone' | 'purpose'> & { devices: readonly string[] },
  now: Date,
): Promise<{ deviceHash: string; sentAt: string } | null> =>
  statement
    .selectFrom('textedCode')
    .select(['deviceHash', 'sentAt'])
    .where('phone', '=', phone)
    .where('purpose', '=', purpose)
    .where('deviceHash', '=', anyOf(devices))
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', instant(now))
    .orderBy('deviceHash', 'desc')
    .limit(1)
    .$call(firstRow(queries))

/**
 * Uses one of a code's tries and returns whether the code is right. With `spend`, a right code is also marked
 * as used. Concurrent tries are all counted.
 */
export async function tryCode(
  queries: Queries,
  place: CodePlace,
  given: { hash: string; mostTries: number; spend: boolean },
  now: Date,
): Promise<boolean> {
  const isRight = await statement
    .updateTable('textedCode')
    .set(({ eb, ref }) => ({
      tries: eb('tries', '+', 1),
      usedAt: given.spend
        ? eb.case().when('codeHash', '=', given.hash).then(instant(now)).else(ref('usedAt')).end()
        : ref('usedAt'),
    }))
    .where('phone', '=', place.phone)
    .where('purpose', '=', place.purpose)
    .where('deviceHash', '=', place.deviceHash)
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', instant(now))
    .where('tries', '<', given.mostTries)
    .returning(({ eb }) => eb('codeHash', '=', given.hash).as('right'))
    .$call(oneValue(queries))
  return isRight === true
}

/** The table of codes, and that of the build before, which empties itself so. */
export const CODE_TABLES = ['textedCode', 'verificationCode'] as const

export async function sweepCodes(queries: Queries, before: Date): Promise<void> {
  for (const table of CODE_TABLES)
    await statement.deleteFrom(table).where('expiresAt', '<', instant(before)).$call(run(queries))
}
