import { isViewKind, type AlertKind, type ViewKind } from '../../contract/alert-kinds.ts'
import { clockOfCourse } from '../../domain/course-clock.ts'
import { gearText, listText, oddsText, serverMessage, startText } from '../process/messages.ts'
import type { AlertFacts } from '../store/operation/alert-store.ts'
import type { AlertRace } from '../store/accounts/alert-race-store.ts'
import { seesWholeRace, tipFor } from '../services/gate.ts'
import type { AlertGround } from './alert-ground.ts'
import type { AlertReader, AlertText } from './alert-words.ts'
import { composeViewAlert } from './view-alert-text.ts'

export interface AlertSource {
  kind: AlertKind | 'test'
  raceId: string | null
  horseId: string | null
  facts: AlertFacts
}

/** An alert in words, and where its race is. */
export interface ComposedAlert extends AlertText {
  /** `null`: of no race. */
  timeZone: string | null
  /** Of amounts; absent where there are none. */
  currency?: string
}

/** The list of alerts, to which a test leads. */
const ALERTS_PATH = '/pages/user/alerts'

/**
 * An alert in words, as its reader may see it now: every number that belongs to a prediction is read again and passes
 * `gate.ts` here. `ground`: made of alerts with this one. `null`: the reader may not see it, or what it was about is gone.
 */
export async function composeAlert(
  ground: AlertGround,
  source: AlertSource,
  reader: AlertReader,
  now: Date,
): Promise<ComposedAlert | null> {
  const { language } = reader
  const { kind, raceId, horseId } = source
  if (kind === 'test')
    return {
      title: serverMessage(language, 'alert.test.title'),
      body: serverMessage(language, 'alert.test.body'),
      path: ALERTS_PATH,
      timeZone: null,
    }
  if (isViewKind(kind))
    return source.facts.view === undefined
      ? null
      : composeViewAlert(ground, { kind, facts: source.facts.view }, reader)
  const race = raceId === null ? null : await ground.raceOf(raceId, horseId, language)
  if (race === null || raceId === null) return null
  const title = await titleOf(ground, { ...source, kind, raceId }, { reader, race, now })
  if (title === null) return null
  const { stadium, raceNo, startsAt } = race
  const timeZone = clockOfCourse(raceId)
  const place = { stadium, raceNo }
  const body =
    startsAt === null
      ? serverMessage(language, 'alert.body', place)
      : serverMessage(language, 'alert.bodyAt', {
          ...place,
          time: startText(language, timeZone, new Date(startsAt)),
        })
  const path = `/pages/race/HorseRace?${new URLSearchParams({ id: raceId, source: 'home' }).toString()}`
  return { title, body, path, timeZone }
}

interface Scene {
  reader: AlertReader
  race: AlertRace
  now: Date
}

/** The sentence of a kind; `null` if the reader may not see what it says. */
async function titleOf(
  ground: AlertGround,
  source: AlertSource & { kind: Exclude<AlertKind, ViewKind>; raceId: string },
  scene: Scene,
): Promise<string | null> {
  const { reader, race } = scene
  const { facts } = source
  const { language } = reader
  const say = (id: string, values: Readonly<Record<string, string | number>> = {}): string =>
    serverMessage(language, id, { horse: race.horse ?? '', raceNo: race.raceNo, ...values })
  switch (source.kind) {
    case 'entered':
      return say('alert.entered')
    case 'declared': {
      const jockey = await ground.jockeyOf(facts.jockeyId ?? '', language)
      return say('alert.declared', { draw: facts.draw ?? 0, jockey: jockey ?? '' })
    }
    case 'withdrawn':
      return say('alert.withdrawn')
    case 'gear':
      return say('alert.gear', {
        gear: listText(
          language,
          (facts.gear ?? []).map((code) => gearText(language, code)),
        ),
      })
    case 'price':
      return priceTitle(ground, source, scene, say)
    case 'tip':
      return tipTitle(ground, source.raceId, scene, say)
    case 'start':
      return say('alert.start')
    case 'result':
      return resultTitle(facts, source.horseId, race, say)
  }
}

type Say = (id: string, values?: Readonly<Record<string, string | number>>) => string

function resultTitle(facts: AlertFacts, horseId: string | null, race: AlertRace, say: Say): string {
  if (facts.abandoned) return say('alert.abandoned')
  if (horseId === null) return say('alert.result', { places: race.placed ?? '–' })
  const { place = '' } = facts
  return /^\d+$/.test(place)
    ? say('alert.placed', { place: Number(place) })
    : say('alert.unplaced', { place })
}

/** The odds of today are on every card; what they were before belongs to the odds track, which a race has to be opened for. */
function priceTitle(
  ground: AlertGround,
  { raceId, facts }: AlertSource & { raceId: string },
  { reader, race }: Scene,
  say: Say,
): string | null {
  const odds = race.odds ?? facts.odds
  if (odds === undefined) return null
  const now = oddsText(reader.language, odds)
  const isOpen = ground.isOpen(reader.customerId, raceId)
  if (!seesWholeRace(reader, isOpen) || facts.firstOdds === undefined) return say('alert.price', { now })
  return say('alert.priceMove', { now, first: oddsText(reader.language, facts.firstOdds) })
}

async function tipTitle(
  ground: AlertGround,
  raceId: string,
  { reader, now }: Scene,
  say: Say,
): Promise<string | null> {
  const full = await ground.tipOf(raceId, reader.language)
  if (full === null) return null
  const tip = tipFor(reader, full, ground.isOpen(reader.customerId, raceId), now)
  const first = tip?.topCompetitors[0]
  if (!first || first.horseNumber === null) return null
  return say('alert.tip', { number: first.horseNumber, name: first.name ?? '' })
}
