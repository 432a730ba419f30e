import type { Language } from '../../domain/languages.ts'
import type { Queries } from '../db/database.ts'
import { HEADLINE } from '../model/headline.ts'
import { readAlertRace, readJockeyName, type AlertRace } from '../store/accounts/alert-race-store.ts'
import { openedPairs } from '../store/accounts/voucher-store.ts'
import type { AlertFacts } from '../store/operation/alert-store.ts'
import { readTip } from '../store/racing/prediction-store.ts'

/** An alert as far as it says what has to be read for its text. */
interface Asking {
  customerId: string
  raceId: string | null
  facts: AlertFacts
}

/**
 * What the texts of several alerts are made from, so that what many are told of is read once. It lasts for one delivery or one
 * page: rights are those at its making.
 */
export class AlertGround {
  readonly queries: Queries
  private readonly opened: ReadonlySet<string>
  private readonly read = new Map<string, Promise<unknown>>()

  private constructor(queries: Queries, opened: ReadonlySet<string>) {
    this.queries = queries
    this.opened = opened
  }

  static async of(queries: Queries, alerts: readonly Asking[]): Promise<AlertGround> {
    const raceIds = alerts.flatMap(({ raceId, facts }) => [
      ...(raceId === null ? [] : [raceId]),
      ...(facts.view?.matches ?? []).map((match) => match.raceId),
    ])
    const customerIds = alerts.map(({ customerId }) => customerId)
    const pairs = await openedPairs(queries, [...new Set(customerIds)], [...new Set(raceIds)])
    return new AlertGround(queries, new Set(pairs.map(({ customerId, raceId }) => `${customerId} ${raceId}`)))
  }

  /** Whether a customer had unlocked a race of one of the alerts. */
  isOpen(customerId: string, raceId: string): boolean {
    return this.opened.has(`${customerId} ${raceId}`)
  }

  raceOf(raceId: string, horseId: string | null, language: Language): Promise<AlertRace | null> {
    return this.once(`race ${raceId} ${horseId} ${language}`, () =>
      readAlertRace(this.queries, raceId, horseId, language),
    )
  }

  jockeyOf(jockeyId: string, language: Language): Promise<string | null> {
    return this.once(`jockey ${jockeyId} ${language}`, () => readJockeyName(this.queries, jockeyId, language))
  }

  /** The whole tip: what of it a reader may see is still to be decided. */
  tipOf(raceId: string, language: Language): ReturnType<typeof readTip> {
    return this.once(`tip ${raceId} ${language}`, () => readTip(this.queries, HEADLINE, raceId, language))
  }

  private once<Value>(key: string, read: () => Promise<Value>): Promise<Value> {
    const known = this.read.get(key) ?? read()
    this.read.set(key, known)
    return known as Promise<Value>
  }
}
