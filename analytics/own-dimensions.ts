import type { Dimension } from './model.ts'
import { bySlot, OWN_BANDS } from './own-slots.ts'

const BAND_NUMBERS = Array.from({ length: OWN_BANDS }, (_, band) => band)

/**
 * Number columns of the reader's own file, each in bands of as many matched starters: the value is the band's number
 * from 0. The edges are known where the file was opened.
 */
export const OWN_DIMENSIONS = bySlot((slot): Dimension => ({
  level: 'horse',
  type: 'integer',
  sql: slot,
  values: BAND_NUMBERS,
  display: 'own-band',
  order: 'key',
  few: true,
  own: true,
}))
