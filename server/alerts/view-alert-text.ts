import type { ViewKind } from '../../contract/alert-kinds.ts'
import type { Language } from '../../domain/languages.ts'
import { regionRules } from '../../domain/region.ts'
import type { Interval } from '../../domain/statistics.ts'
import {
  dayText,
  listText,
  percentText,
  ratioText,
  serverMessage,
  signedMoneyText,
} from '../process/messages.ts'
import { readAlertView } from '../store/accounts/view-alert-store.ts'
import type { Digest, ViewFacts } from '../store/operation/alert-store.ts'
import type { AlertGround } from './alert-ground.ts'
import type { AlertReader, AlertText } from './alert-words.ts'
import { seesWholeRace } from '../services/gate.ts'

/** A view's alert in words, with the time zone of its region. */
export interface ComposedViewAlert extends AlertText {
  timeZone: string
  currency: string
}

const NONE = '–'
/** Facts in a line, as the site separates them. */
const BETWEEN = ' · '

/**
 * What happened to a saved view, in words; `null` if its owner may not see that now, or no longer has the view. Figures of the
 * whole history need a VIP, and a match needs the right to its race, at the moment of reading.
 */
export async function composeViewAlert(
  ground: AlertGround,
  { kind, facts }: { kind: ViewKind; facts: ViewFacts },
  reader: AlertReader,
): Promise<ComposedViewAlert | null> {
  if (kind !== 'match' && facts.whole && !reader.isVip) return null
  const found = await readAlertView(ground.queries, reader.customerId, facts.id)
  if (found === null) return null
  const { name: view, address, regionId, timeZone } = found
  const { currency } = regionRules(regionId)
  const path = `/pages/race/WinLossRecord?${address}`
  const text =
    kind === 'match'
      ? matchText(ground, view, facts, reader)
      : kind === 'threshold'
        ? thresholdText(view, facts, reader.language)
        : digestText(view, facts.digest, { language: reader.language, currency })
  return text && { path, ...text, timeZone, currency }
}

type Text = Pick<AlertText, 'title' | 'body'> & Partial<AlertText>

function matchText(
  ground: AlertGround,
  view: string,
  { matches = [] }: ViewFacts,
  reader: AlertReader,
): Text | null {
  const { customerId, language } = reader
  const seen = matches.filter(({ raceId }) => seesWholeRace(reader, ground.isOpen(customerId, raceId)))
  const [first] = seen
  if (first === undefined) return null
  const lineOf = ({ raceNo, count, numbers }: (typeof matches)[number]): string => {
    if (numbers.length === 0) return serverMessage(language, 'alert.match.raceOnly', { raceNo })
    const named = count > numbers.length ? [...numbers, '…'] : numbers
    return serverMessage(language, 'alert.match.race', { raceNo, numbers: listText(language, named) })
  }
  return {
    title: serverMessage(language, 'alert.match', {
      view,
      count: seen.reduce((sum, { count }) => sum + count, 0),
    }),
    body: seen.map(lineOf).join(BETWEEN),
    path: `/pages/race/HorseRace?${new URLSearchParams({ id: first.raceId, source: 'home' }).toString()}`,
  }
}

function thresholdText(view: string, { passed }: ViewFacts, language: Language): Text | null {
  if (passed === undefined) return null
  const { measure, side, value, now, length, unit } = passed
  const show = (figure: number): string =>
    measure === 'ae_market'
      ? ratioText(language, figure)
      : percentText(language, figure, measure === 'return')
  return {
    title: serverMessage(language, `alert.threshold.${side}`, {
      view,
      figure: serverMessage(language, `alert.figure.${measure}`),
      now: show(now),
      limit: show(value),
    }),
    body: serverMessage(language, `alert.window.${unit}`, { length }),
  }
}

interface Wording {
  language: Language
  /** Of the region of the view. */
  currency: string
}

function digestText(view: string, digest: Digest | undefined, { language, currency }: Wording): Text | null {
  if (digest === undefined) return null
  const { from, to, rows, hits, hitRate, profit } = digest
  const bounded = (found: number | Interval | null, show: (value: number) => string): string => {
    if (found === null) return NONE
    if (typeof found === 'number') return show(found)
    return serverMessage(language, 'alert.range', { low: show(found.low), high: show(found.high) })
  }
  const returned = bounded(digest.return, (share) => percentText(language, share, true))
  return {
    title: serverMessage(language, 'alert.digest', { view, returned }),
    body:
      rows === 0
        ? serverMessage(language, 'alert.digest.empty')
        : serverMessage(language, 'alert.digest.body', {
            from: dayText(language, from),
            to: dayText(language, to),
            rows,
            hits,
            hitRate: hitRate === null ? NONE : percentText(language, hitRate, false),
            profit: bounded(profit, (cents) => signedMoneyText(language, cents, currency)),
            returned,
          }),
  }
}

/** What the picture of a digest shows, in words; `null` if it has none. */
export function chartText({ profitToDate }: Digest, { language, currency }: Wording): string | null {
  const [first, last] = [profitToDate[0], profitToDate.at(-1)]
  if (first === undefined || last === undefined) return null
  const amounts = profitToDate.map(([, cents]) => cents)
  const show = (cents: number): string => signedMoneyText(language, cents, currency)
  return serverMessage(language, 'alert.digest.chart', {
    from: dayText(language, first[0]),
    to: dayText(language, last[0]),
    low: show(Math.min(...amounts)),
    high: show(Math.max(...amounts)),
    now: show(last[1]),
  })
}
