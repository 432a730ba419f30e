/** What a customer can be told of, in the order of the settings. */
export const ALERT_KINDS = [
  'entered',
  'declared',
  'withdrawn',
  'gear',
  'price',
  'tip',
  'start',
  'result',
  'match',
  'threshold',
  'digest',
] as const
export type AlertKind = (typeof ALERT_KINDS)[number]

/** The ways in which a customer is told: a list on the site, notifications of a browser, messages to an address. */
export const ALERT_CHANNELS = ['site', 'push', 'email'] as const
export type AlertChannel = (typeof ALERT_CHANNELS)[number]

/** The kinds of each channel until the customer chooses others. */
export const DEFAULT_KINDS: Readonly<Record<AlertChannel, readonly AlertKind[]>> = {
  site: ALERT_KINDS,
  // A digest is read in peace.
  push: ALERT_KINDS.filter((kind) => kind !== 'digest'),
  email: ['entered', 'declared', 'withdrawn', 'result', 'match', 'threshold', 'digest'],
}

/** The kinds that are of a saved view; all others are of a race. */
export const VIEW_KINDS = ['match', 'threshold', 'digest'] as const satisfies readonly AlertKind[]
export type ViewKind = (typeof VIEW_KINDS)[number]

/**
 * Whether alerts of a kind are of a saved view.
 *
 * ```ts
 * ['digest', 'result'].map(isViewKind) // => [true, false]
 * ```
 */
export const isViewKind = (kind: string): kind is ViewKind => VIEW_KINDS.some((each) => each === kind)

/** A move of the price, in percent, of which a customer is told until another is chosen. */
export const DEFAULT_PRICE_PERCENT = 20
