import { cleanText, missingOf } from './clean-text.ts'
import { MISSING, valueOf, type Reading } from './reading.ts'

/** Minutes, if any, then seconds with a fraction; races are timed in hundredths. */
const PLAIN = /^(?:(\d{1,2})[:.])?(\d{1,2})\.(\d{1,3})$/
/** As spreadsheets and programs write a duration: `0:01:10.60`, `00:01:10`. */
const WITH_HOURS = /^0{1,2}:([0-5]\d):(\d{2})(?:\.(\d{1,6}))?$/
/** The same with one digit of minutes; without a fraction, `0:1:10` may be seconds and hundredths. */
const WITH_SHORT_MINUTES = /^0:(\d):(\d{2})\.(\d{1,6})$/

/**
 * A race's time in milliseconds: `1:23.30`, `1.11.17` (minutes, seconds, hundredths), `58.4`, `0:01:10.60`, `0:1:10.6`. `1:10:45` may
 * be hours or hundredths, and cannot be read.
 */
export function readRaceTime(text: string): Reading<number, 'not-a-time'> {
  const clean = cleanText(text)
  if (missingOf(clean)) return MISSING
  const match = PLAIN.exec(clean) ?? WITH_HOURS.exec(clean) ?? WITH_SHORT_MINUTES.exec(clean)
  const [, minutes = '0', seconds = '0', fraction = '0'] = match ?? []
  if (match === null || (match[1] !== undefined && Number(seconds) > 59))
    return { kind: 'unreadable', problem: 'not-a-time', form: '1:09.80' }
  const ms = Number(fraction.padEnd(3, '0').slice(0, 3))
  return valueOf(Number(minutes) * 60_000 + Number(seconds) * 1000 + ms)
}
