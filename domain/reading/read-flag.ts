import { cleanText, missingOf } from './clean-text.ts'
import { MISSING, valueOf, type Reading } from './reading.ts'

const YES = new Set(['yes', 'y', 'true', 't', '1', '1.0', 'x', '✓', '✔', '是', '有'])
const NO = new Set(['no', 'n', 'false', 'f', '0', '0.0', '否'])

/** Whether a text says yes, in the words that people and programs write: `Yes`, `TRUE`, `1`, `x`; `no`, `False`, `0`. */
export function readFlag(text: string): Reading<boolean, 'unknown-word'> {
  const clean = cleanText(text)
  if (missingOf(clean)) return MISSING
  const word = clean.toLowerCase()
  if (YES.has(word)) return valueOf(true)
  if (NO.has(word)) return valueOf(false)
  return { kind: 'unreadable', problem: 'unknown-word', form: 'yes' }
}
