import type { Queries } from '../../db/database.ts'
import { firstFormOf } from './history-store.ts'
import { bumpReference, bumpRevisions, bumpRevisionsFrom } from '../../db/revisions.ts'
import { forgetFittedTo, forgetStatesOf } from './scoring-state-store.ts'
import { noteRaceEvents } from '../operation/site-store.ts'
import { notePriceAlerts, noteRaceAlerts } from '../operation/alert-events.ts'

/** What written rows make outdated: the races to score, the dataset partitions to rebuild, the events to send. */
export class ChangeMarks {
  readonly staleRaces = new Set<string>()
  readonly changedRaces = new Set<string>()
  readonly movedOdds = new Set<string>()
  /** Races of which sections changed, on which the pars of later ones depend. */
  readonly changedSections = new Set<string>()
  /** Regions with a changed name. */
  readonly changedNames = new Set<string>()
  /** Brands that were given to another horse, whose earlier form may now belong to that one. */
  readonly laterBearers = new Set<string>()
  /** First day of the form lines that changed, by region id. */
  private readonly changedForm = new Map<string, string>()

  noteForm(regionId: string, days: Iterable<string>): void {
    for (const day of days) {
      const known = this.changedForm.get(regionId)
      if (known === undefined || day < known) this.changedForm.set(regionId, day)
    }
  }

  /** Writes the marks and the events, and forgets them. Returns the number of races whose data or odds changed. */
  async write(queries: Queries): Promise<number> {
    const stale = [...this.staleRaces]
    const written = new Set([...stale, ...this.movedOdds]).size
    await this.outdate(queries)
    const now = new Date()
    await noteRaceEvents(queries, 'odds', [...this.movedOdds], now)
    await notePriceAlerts(queries, [...this.movedOdds], now)
    await noteRaceAlerts(queries, stale, now)
    for (const marks of [
      this.staleRaces,
      this.changedRaces,
      this.movedOdds,
      this.changedSections,
      this.changedNames,
      this.laterBearers,
      this.changedForm,
    ])
      marks.clear()
    return written
  }

  /** Writes the marks, without telling anyone. */
  async outdate(queries: Queries): Promise<void> {
    const stale = [...this.staleRaces]
    const changed = [...stale, ...this.changedRaces]
    if (stale.length > 0)
      await queries.rows(`update race set scoring = 'stale' where id = any($1::text[])`, [stale])
    if (this.laterBearers.size > 0)
      for (const { regionId, day } of await firstFormOf(queries, this.laterBearers))
        this.noteForm(regionId, [day])
    if (changed.length > 0 || this.changedForm.size > 0)
      await forgetStatesOf(queries, changed, this.changedForm)
    if (changed.length + this.movedOdds.size > 0)
      await bumpRevisions(queries, [...changed, ...this.movedOdds])
    if (this.changedSections.size > 0) await bumpRevisionsFrom(queries, [...this.changedSections])
    for (const regionId of this.changedNames) await bumpReference(queries, regionId)
  }

  /** Deletes the models and model cards that were fitted to the rows, after `outdate`. Returns the ids of their regions. */
  forgetFitted(queries: Queries): Promise<string[]> {
    const races = [...this.staleRaces, ...this.changedRaces, ...this.changedSections]
    return forgetFittedTo(queries, races, this.changedForm)
  }
}
