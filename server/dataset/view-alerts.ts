import type { Manifest } from '../../contract/dataset.ts'
import { lastRaceDay } from '../../contract/last-race-day.ts'
import { asFurlongError, FurlongError } from '../../domain/errors.ts'
import { groupBy } from '../../domain/group-by.ts'
import { isVipAt } from '../../domain/membership.ts'
import { mondayOf, racingDay } from '../../domain/region.ts'
import {
  isStillRacing,
  lastStartOf,
  listTellingViews,
  markDigest,
  markThreshold,
  type TellingView,
} from '../store/accounts/view-alert-store.ts'
import {
  eventKey,
  recordEvents,
  writeAlerts,
  type Notice,
  type ViewFacts,
} from '../store/operation/alert-store.ts'
import { isDatasetBehind, readManifest } from './dataset-index.ts'
import { comingSet } from './coming-files.ts'
import {
  comingMatches,
  digestOf,
  figureNow,
  viewFigures,
  type AnswerGround,
  type AskedView,
  type ViewFigures,
} from './view-figures.ts'

const DAY_MS = 86_400_000
/** A figure that has passed a limit is of interest until the next day, a digest for longer. */
const THRESHOLD_MS = DAY_MS
const DIGEST_MS = 3 * DAY_MS

type Region = Manifest['regions'][number]
type Failed = (error: FurlongError) => void

/** A view whose owner cannot ask for it is no failure: there is nothing to tell. */
const REFUSALS = ['bad-parameters', 'vip-needed', 'filter-too-long', 'own-needed', 'not-found']

/**
 * Tells the owners of saved views what they asked for: coming predictions that match, a figure that passed a limit, and the
 * figures themselves. They are asked for as the owner would ask, by the record's own queries, so that they equal what the owner
 * sees, and nothing is told of what the owner may not see.
 */
export class ViewAlerts {
  /** Of which coming rows and views the matches were told last, by region. */
  private readonly matched = new Map<string, string>()
  private readonly ground: AnswerGround
  private readonly now: () => Date

  constructor(ground: AnswerGround, now: () => Date) {
    this.ground = ground
    this.now = now
  }

  /** Looks at all views once. Returns how many alerts were asked for; `onError` gets the failure of a single view. */
  async tell(onError: Failed): Promise<number> {
    const views = await listTellingViews(this.ground.service.database)
    const manifest = views.length === 0 ? null : readManifest(this.ground.settings.dataFolder)
    if (manifest === null) return 0
    let told = 0
    for (const [regionId, own] of groupBy(views, (view) => view.regionId)) {
      const region = manifest.regions.find(({ id }) => id === regionId)
      if (region === undefined) continue
      told += await this.tellMatches(region, manifest, own, onError)
      told += await this.tellFigures(region, manifest, own, onError)
    }
    return told
  }

  private askedOf({ customerId, vipEnd, regionId, address }: TellingView): AskedView {
    return { regionId, address, asker: { id: customerId, isVip: isVipAt(this.now(), vipEnd) } }
  }

  /** Runs for each view what tells of it; one that fails keeps no other from being told of. */
  private async forEach(
    views: readonly TellingView[],
    onError: Failed,
    tell: (view: TellingView) => Promise<number>,
  ): Promise<{ told: number; failed: boolean }> {
    let told = 0
    let failed = false
    for (const view of views) {
      try {
        told += await tell(view)
      } catch (error) {
        failed = true
        onError(asFurlongError(error))
      }
    }
    return { told, failed }
  }

  private async tellMatches(
    region: Region,
    manifest: Manifest,
    views: readonly TellingView[],
    onError: Failed,
  ): Promise<number> {
    const sees = (view: TellingView): boolean => this.askedOf(view).asker.isVip || view.opened > 0
    const followed = views.filter((view) => view.followed && sees(view))
    if (followed.length === 0) return 0
    const [coming] = (await comingSet(this.ground.coming, manifest, region)).files
    const whose = followed.map((view) => [view.id, view.address, view.opened, this.askedOf(view).asker.isVip])
    const state = JSON.stringify([coming!.sha256, whose])
    if (this.matched.get(region.id) === state) return 0
    const { told, failed } = await this.forEach(followed, onError, (view) => this.tellMatch(view, manifest))
    if (!failed) this.matched.set(region.id, state)
    return told
  }

  private async tellMatch(view: TellingView, manifest: Manifest): Promise<number> {
    const { database } = this.ground.service
    const asked = this.askedOf(view)
    const races = await unlessRefused(comingMatches(this.ground, asked, manifest), [])
    if (races.length === 0) return 0
    const at = this.now()
    const eventOf = ({ raceId }: { raceId: string }) =>
      ({ kind: 'match', raceId, horseId: '', state: view.id }) as const
    return database.transaction(async (queries) => {
      const isNew = await recordEvents(queries, races.map(eventOf), at)
      const matches = races.filter((race) => isNew.has(eventKey(eventOf(race))))
      const [first] = matches
      if (first === undefined) return 0
      const ends = await lastStartOf(
        queries,
        matches.map(({ raceId }) => raceId),
      )
      const notice: Notice = {
        customerId: view.customerId,
        kind: 'match',
        raceId: first.raceId,
        horseId: null,
        facts: { view: { id: view.id, whole: asked.asker.isVip, matches } },
        key: `match ${view.id} ${matches.map(({ raceId }) => raceId).join(' ')}`,
        expiresAt: ends === null ? new Date(at.getTime() + DAY_MS) : new Date(ends),
      }
      await writeAlerts(queries, [notice], at)
      return 1
    })
  }

  private async tellFigures(
    region: Region,
    manifest: Manifest,
    views: readonly TellingView[],
    onError: Failed,
  ): Promise<number> {
    const lastDay = lastRaceDay(manifest.files, region.id)
    if (lastDay === null) return 0
    const today = racingDay(region, this.now())
    const digestDayOf = ({ digest }: TellingView): string => (digest === 'weekly' ? mondayOf(today) : lastDay)
    const isDue = (view: TellingView): { threshold: boolean; digest: boolean } => ({
      threshold: view.threshold !== null && (view.thresholdDay ?? '') < lastDay,
      digest: view.digest !== null && (view.digestDay ?? '') < digestDayOf(view),
    })
    const due = views.filter((view) => isDue(view).threshold || isDue(view).digest)
    if (due.length === 0 || !(await this.isMeetingOver(region.id, lastDay, today))) return 0
    const { told } = await this.forEach(due, onError, async (view) => {
      const { threshold, digest } = isDue(view)
      const figures = await unlessRefused(viewFigures(this.ground, this.askedOf(view), manifest), null)
      return (
        (threshold ? await this.tellThreshold(view, figures, lastDay) : 0) +
        (digest ? await this.tellDigest(view, figures, digestDayOf(view)) : 0)
      )
    })
    return told
  }

  /** Whether every race of the last race day is run, settled, and in the files. */
  private async isMeetingOver(regionId: string, lastDay: string, today: string): Promise<boolean> {
    const { service, settings } = this.ground
    if (await isStillRacing(service.database, regionId, lastDay, today)) return false
    return !(await isDatasetBehind(service.database, settings.dataFolder, this.now()))
  }

  /** Tells of a figure once it passes its limit, and again only after it was on the other side. */
  private async tellThreshold(
    view: TellingView,
    figures: ViewFigures | null,
    lastDay: string,
  ): Promise<number> {
    const limit = view.threshold!
    const { measure, length, unit, side, value } = limit
    const now = figures && figureNow(figures, measure, { length, unit })
    const passed = now === null ? view.thresholdPassed : side === 'below' ? now < value : now > value
    return this.tellOnce(
      view,
      passed && !view.thresholdPassed && now !== null
        ? {
            kind: 'threshold',
            key: `threshold ${view.id} ${lastDay} ${JSON.stringify(limit)}`,
            lastsMs: THRESHOLD_MS,
            view: { passed: { ...limit, now } },
          }
        : null,
      (queries) => markThreshold(queries, view, lastDay, passed),
    )
  }

  private tellDigest(view: TellingView, figures: ViewFigures | null, day: string): Promise<number> {
    return this.tellOnce(
      view,
      figures === null
        ? null
        : {
            kind: 'digest',
            key: `digest ${view.id} ${view.digest} ${day}`,
            lastsMs: DIGEST_MS,
            view: { digest: digestOf(figures) },
          },
      (queries) => markDigest(queries, view, day),
    )
  }

  /** Marks a view as looked at and writes what is to be told of it, both or neither, and by one process only. */
  private tellOnce(
    { id, customerId, vipEnd }: TellingView,
    found: {
      kind: 'threshold' | 'digest'
      key: string
      lastsMs: number
      view: Pick<ViewFacts, 'passed' | 'digest'>
    } | null,
    mark: (queries: Parameters<typeof markDigest>[0]) => Promise<boolean>,
  ): Promise<number> {
    const at = this.now()
    return this.ground.service.database.transaction(async (queries) => {
      if (!(await mark(queries)) || found === null) return 0
      const { kind, key, lastsMs, view } = found
      const facts = { view: { id, whole: isVipAt(at, vipEnd), ...view } }
      const expiresAt = new Date(at.getTime() + lastsMs)
      const notice: Notice = { customerId, kind, raceId: null, horseId: null, facts, key, expiresAt }
      await writeAlerts(queries, [notice], at)
      return 1
    })
  }
}

async function unlessRefused<Value>(answer: Promise<Value>, otherwise: Value): Promise<Value> {
  try {
    return await answer
  } catch (error) {
    if (REFUSALS.includes(asFurlongError(error).code)) return otherwise
    throw error
  }
}
