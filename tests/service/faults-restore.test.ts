// @module-tag rest
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { backup, restore } from '../../server/store/operation/backup.ts'
import { missingMigrations } from '../../server/db/migrate.ts'
import { openAsItIs, openDatabase } from '../../server/db/open.ts'
import { startServerProcess, WITHOUT_WORKER } from '../support/server-process.ts'
import { seedCustomer } from '../support/seed-customer.ts'
import { newSmallSeason } from '../support/api.ts'
import { furlong } from '../support/command.ts'
import { KINDS, newFolder, newPostgresqlUrl, type Kind } from '../support/databases.ts'
import { addedBy, newestMigration, withdraw } from '../support/migrations.ts'

const FUTURE = '999-of-a-newer-build.sql'

describe.each(KINDS)('a backup of another version on %s', (kind) => {
  const environmentOf = (place: {
    dataFolder: string
    databaseUrl: string | undefined
  }): NodeJS.ProcessEnv => ({
    FURLONG_DATA: place.dataFolder,
    DATABASE_URL: place.databaseUrl ?? '',
    ...WITHOUT_WORKER,
  })
  const newTarget = async (of: Kind) => ({
    dataFolder: newFolder(),
    databaseUrl: of === 'postgresql' ? await newPostgresqlUrl() : undefined,
  })
  /** A backup of a season with a customer, after `change` made its database one of another version. */
  const backupOf = async (change: (rows: (sql: string) => Promise<unknown>) => Promise<void>) => {
    const place = await newSmallSeason(kind, new Date())
    const { id } = await seedCustomer(place.database, { vouchers: 7 })
    await change((sql) => place.database.rows(sql))
    await place.database.close()
    const folder = join(newFolder(), 'backup')
    await backup(place, folder)
    return { folder, customer: id }
  }

  test('one from before the last migration is migrated when the restored database is opened', async () => {
    const { folder, customer } = await backupOf(withdraw)
    const target = await newTarget(kind)
    const environment = environmentOf(target)
    await restore(target, folder)
    const restored = await openAsItIs(target)
    expect(await missingMigrations(restored)).toEqual([newestMigration()])
    await restored.close()
    const server = await startServerProcess(environment, /\nready\n/)
    expect((await fetch(new URL('readyz', server.base))).status).toBe(200)
    expect(await server.stop()).toBe(0)
    const database = await openDatabase(target)
    expect(await missingMigrations(database)).toEqual([])
    for (const { kind: of, name } of addedBy(newestMigration()))
      expect(
        await database.rows(`select relname from pg_class where relname = $1`, [name]),
        `${of} ${name}`,
      ).toHaveLength(1)
    expect(
      await database.rows('select balance from voucher_wallet where customer_id = $1::uuid', [customer]),
    ).toEqual([{ balance: 7 }])
    await database.close()
  })

  test('one from a newer version is refused by name, and nothing is changed', async () => {
    const { folder } = await backupOf(async (rows) => {
      await rows(`insert into migration (name, applied_at) values ('${FUTURE}', now())`)
      await rows('create table of_a_newer_build (id integer)')
    })
    const target = await newTarget(kind)
    await expect(restore(target, folder)).rejects.toMatchObject({
      code: 'database-newer',
      details: { migration: FUTURE },
    })
    if (kind === 'pglite') expect(existsSync(join(target.dataFolder, 'pglite'))).toBe(false)
    else
      expect(
        execFileSync(
          'psql',
          [target.databaseUrl!, '-Atc', `select count(*) from pg_tables where schemaname = 'public'`],
          {
            encoding: 'utf8',
          },
        ).trim(),
      ).toBe('0')
    // The target is still empty, so a backup of this version can be restored there.
    const { folder: own } = await backupOf(async () => {})
    await restore(target, own)
  })

  test('a database of a newer version is not opened, and nothing is changed', async () => {
    const place = await newSmallSeason(kind, new Date())
    await place.database.rows(`insert into migration (name, applied_at) values ('${FUTURE}', now())`)
    const stateOf = (database: typeof place.database) =>
      database.rows('select name, applied_at from migration order by name')
    const before = await stateOf(place.database)
    await place.database.close()
    const { code, err } = await furlong({ ...environmentOf(place), PORT: '0' }, 'serve')
    expect(code).toBe(1)
    expect(err).toContain(FUTURE)
    expect(err).not.toMatch(/\n\s+at /)
    const after = await openAsItIs(place)
    expect(await stateOf(after)).toEqual(before)
    await after.close()
  })
})
