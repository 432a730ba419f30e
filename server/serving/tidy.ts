import { isClockSteady } from '../db/clock-store.ts'
import { closeLateOrders } from '../services/payments.ts'
import type { Service } from '../services/service.ts'
import { sweepAttempts } from '../store/accounts/attempt-store.ts'
import { sweepCodes } from '../store/accounts/code-store.ts'
import { sweepDevices } from '../store/accounts/device-store.ts'
import { sweepSecurityEvents } from '../store/accounts/security-store.ts'
import { sweepTokens } from '../store/accounts/token-store.ts'
import { sweepAlerts } from '../store/operation/alert-store.ts'
import { sweepBatches } from '../store/operation/feed-store.ts'
import { sweepJobs } from '../store/operation/job-store.ts'
import { sweepEvents, sweepVisits } from '../store/operation/site-store.ts'

const DAY_MS = 86_400_000
/** Expired tokens are stored for a while, so that a request with one gets the error that its session ended. */
const TOKENS_STORED_MS = 90 * DAY_MS
const SECURITY_EVENTS_STORED_MS = 180 * DAY_MS
/** Feed batches are repeated within hours, not weeks. */
const BATCHES_STORED_MS = 30 * DAY_MS
const JOBS_STORED_MS = 30 * DAY_MS
const DEVICES_STORED_MS = 400 * DAY_MS
const ALERTS_STORED_MS = 60 * DAY_MS
const VISITS_STORED_MS = 400 * DAY_MS

/** Closes expired orders and purges old rows. */
export async function tidy(service: Service): Promise<void> {
  const { database, now } = service
  const before = (ms: number): Date => new Date(now().getTime() - ms)
  const yesterday = before(DAY_MS)
  await closeLateOrders(service)
  await sweepAttempts(database, yesterday)
  await sweepCodes(database, yesterday)
  await sweepBatches(database, before(BATCHES_STORED_MS))
  await sweepJobs(database, before(JOBS_STORED_MS), yesterday)
  if (await isClockSteady(database, now())) {
    await sweepSecurityEvents(database, before(SECURITY_EVENTS_STORED_MS))
    await sweepTokens(database, before(TOKENS_STORED_MS))
    await sweepDevices(database, before(DEVICES_STORED_MS))
    await sweepAlerts(database, before(ALERTS_STORED_MS))
    await sweepVisits(database, before(VISITS_STORED_MS))
  }
  // Events are stored an hour longer than reconnecting clients are promised.
  await sweepEvents(database, before(DAY_MS + 3_600_000))
}
