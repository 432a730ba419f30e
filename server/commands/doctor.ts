import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { asFurlongError } from '../../domain/errors.ts'
import { DatasetBucket } from '../dataset/dataset-bucket.ts'
import { datasetFolder, readIndex, readManifest } from '../dataset/dataset-index.ts'
import { isUndamaged } from '../dataset/duckdb-file.ts'
import type { Settings } from '../process/env.ts'
import { errorMessage } from '../process/messages.ts'
import { readKeys, SECRET_FILES } from '../db/secret.ts'
import { isEmbedded, type Database } from '../db/database.ts'
import { missingMigrations } from '../db/migrate.ts'
import { openPostgresql } from '../db/postgresql.ts'
import { findRepeatedRaces } from '../store/racing/race-signature.ts'
import { openBesideAsItIs } from '../db/open.ts'
import { listHeld } from '../store/operation/held-store.ts'
import { TEXTS_FILE } from '../gateways/sms.ts'
import { backupVersions, versionFault } from '../store/operation/backup.ts'
import { clockOf, countCards, sampleCard } from '../store/operation/doctor-store.ts'

const MAX_CLOCK_DIFFERENCE_MS = 5000
/** Number of repeated races that are listed individually. */
const MAX_REPEATED_LISTED = 10

/** A problem found by a check, with its own message. */
class Fault extends Error {}

/**
 * Checks the database, dataset, secrets, clock and other parts. Every check reports what it found; none
 * changes anything.
 */
export async function examine(settings: Settings) {
  const findings: { check: string; ok: boolean; detail: string }[] = []
  const look = async (check: string, work: () => Promise<string> | string): Promise<void> => {
    try {
      findings.push({ check, ok: true, detail: await work() })
    } catch (error) {
      findings.push({ check, ok: false, detail: detailOf(error) })
    }
  }
  let database: Database | null = null
  await look('database', async () => {
    const folder = join(settings.dataFolder, 'pglite')
    if (!settings.databaseUrl && !existsSync(folder)) throw new Fault('nothing is there yet: start it once')
    const found = await openBesideAsItIs(settings)
    const missing = await missingMigrations(found)
    if (missing.length === 0) {
      database = found
      return `${found.kind}, migrations applied`
    }
    await found.close()
    throw new Fault(`it lacks ${missing.join(', ')}: the next start applies them`)
  })
  await look('secrets', () => secretsOf(settings))
  await look('dataset', () => datasetOf(settings))
  if (settings.standbyUrl !== undefined) await look('standby', () => standbyFinding(settings.standbyUrl!))
  if (settings.bucket !== undefined) await look('bucket', () => bucketOf(settings))
  const opened = database as Database | null
  if (opened !== null) {
    await look('clock', () => clockFinding(opened))
    await look('repeated races', () => repeatFinding(opened))
    await look('held results', () => heldFinding(opened))
    await look('bank cards', () => cardFinding(opened, settings))
    await look('backup', () => backupFinding(opened))
    await opened.close()
  }
  await look('texts', () => textsFinding(settings))
  await look('payment', () => {
    if (settings.payment === 'off') throw new Fault('no gateway is set up: nobody can buy a membership')
    if (settings.payment === 'sandbox' && settings.mode === 'production')
      throw new Fault('the sandbox approves payments without money')
    return settings.payment
  })
  return findings
}

function detailOf(error: unknown): string {
  if (error instanceof Fault) return error.message
  const reason = error instanceof Error && error.name !== 'FurlongError' ? ` (${error.message})` : ''
  return errorMessage('en', asFurlongError(error)) + reason
}

function secretsOf(settings: Settings): string {
  const inFolder = SECRET_FILES.filter((name) => existsSync(join(settings.dataFolder, name)))
  const wanted = (settings.secret === undefined ? 1 : 0) + (settings.cardKey === undefined ? 1 : 0)
  // In production this reports missing secrets; elsewhere it would create them, which a check must not do.
  if (settings.mode === 'production') readKeys(settings)
  else if (wanted > inFolder.length) return 'made at the first start'
  for (const name of inFolder) {
    const open = statSync(join(settings.dataFolder, name)).mode & 0o077
    if (open !== 0) throw new Fault(`${name} in the data folder is readable to others`)
  }
  return settings.secret !== undefined && settings.cardKey !== undefined
    ? 'from the environment'
    : 'made in the data folder: back it up with the database'
}

async function datasetOf({ dataFolder }: Settings): Promise<string> {
  const manifest = readManifest(dataFolder)
  if (manifest === null) throw new Fault('nothing is built yet: npm run admin -- build')
  for (const { sha256 } of manifest.files) {
    if (!(await isUndamaged(datasetFolder(dataFolder), sha256)))
      throw new Fault(`${sha256} is missing or damaged: npm run admin -- build builds it anew`)
  }
  return `${manifest.files.length} files, all whole, as of ${manifest.asOf}`
}

/** Whether the standby responds and receives data from the primary. */
async function standbyFinding(url: string): Promise<string> {
  const standby = await openPostgresql(url)
  try {
    const [row] = await standby.rows<{ standby: boolean; receives: boolean }>(
      `select pg_is_in_recovery() as standby, exists (select from pg_stat_wal_receiver) as receives`,
    )
    if (!row!.standby) return 'it was promoted: it is the database'
    if (!row!.receives) throw new Fault('it receives nothing from the primary')
    return 'it follows the primary'
  } finally {
    await standby.close()
  }
}

/** The newest revision in the shared bucket, and the revision of this machine's folder. */
async function bucketOf({ bucket: settings, dataFolder }: Settings): Promise<string> {
  const bucket = new DatasetBucket(settings!)
  try {
    const { revision, files } = await bucket.examine()
    if (revision === null) throw new Fault('nothing is published yet: npm run admin -- build')
    const own = bucket.revisionIn(readIndex(datasetFolder(dataFolder)))
    return `revision ${revision} of ${files} files; this folder has ${own === null ? 'none of it' : `revision ${own}`}`
  } finally {
    await bucket.close()
  }
}

async function clockFinding(database: Database): Promise<string> {
  const before = Date.now()
  const { now, newest } = await clockOf(database)
  const difference = Math.abs(now.getTime() - (before + Date.now()) / 2)
  if (difference > MAX_CLOCK_DIFFERENCE_MS) throw new Fault(`the database’s clock is ${difference} ms away`)
  if (newest !== null && newest.getTime() > Date.now() + MAX_CLOCK_DIFFERENCE_MS)
    throw new Fault(`something was written at ${newest.toISOString()}: this clock went back`)
  return `${Math.round(difference)} ms from the database’s`
}

/** Races that were imported twice under two dates, before imports checked for that. */
async function repeatFinding(database: Database): Promise<string> {
  const repeated = await findRepeatedRaces(database)
  if (repeated.length === 0) return 'none'
  const listed = repeated.slice(0, MAX_REPEATED_LISTED).map(({ id, twin }) => `${id} repeats ${twin}`)
  const unlisted = repeated.length - listed.length
  throw new Fault(listed.join(', ') + (unlisted > 0 ? `, and ${unlisted} more` : ''))
}

/** Results of the feed that wait for the operator. */
async function heldFinding(database: Database): Promise<string> {
  const held = await listHeld(database)
  if (held.length === 0) return 'none'
  const races = [...new Set(held.map(({ raceId }) => raceId))].join(', ')
  throw new Fault(`of ${races}: npm run admin -- races held`)
}

/** Decrypts one bank card, so that a lost key is noticed before a customer asks for a withdrawal. */
async function cardFinding(database: Database, settings: Settings): Promise<string> {
  const sample = await sampleCard(database)
  if (sample === null) return 'none stored'
  readKeys(settings).unseal(`bank card ${sample.id}`, sample.sealed)
  return `${await countCards(database)} stored, and the key opens them`
}

/** Whether this machine can back the database up. */
async function backupFinding(database: Database): Promise<string> {
  if (isEmbedded(database)) return 'the embedded database is copied by itself'
  const versions = await backupVersions(database)
  const fault = versionFault('pg_dump', versions)
  if (fault !== null) throw new Fault(fault)
  return `pg_dump and the server are of version ${versions.server}`
}

function textsFinding({ sms, mode }: Settings): string {
  if (sms === 'off') throw new Fault('no gateway is set up: the server does not start')
  if (typeof sms === 'object') return 'posted to a gateway'
  return mode === 'production'
    ? `written to the file ${TEXTS_FILE} in the data folder: nobody but the operator can pass them on`
    : 'printed'
}
