import { parseCents } from '../../../domain/money.ts'
import { decimal, isoDay, lenient, required, text } from '../reading/cells.ts'
import type { CsvRow } from '../reading/csv-file.ts'
import { NO_NAMES } from '../../drafts/drafts.ts'
import { RowError, type Draft, type FileKind, type Note } from '../reading/format.ts'
import { COLOURS, IMPORT_TYPES, ORIGINS, SEXES } from './words.ts'

/** The site uses different layouts for retired and active horses; the file has the columns of both. */
function readHorse(row: CsvRow, note: Note): Draft {
  const brand = required(row, 'horse_no')
  const [colour, sex] = (text(row, '毛色___性別') ?? '').split(' / ')
  const origin = text(row, '出生地') ?? text(row, '出生地___馬齡')?.split(' / ')[0] ?? null
  const rating = decimal(row, '最後評分')
  return {
    kind: 'horse',
    horse: {
      ...NO_NAMES,
      brand,
      hant: required(row, 'name').replace(/ \(.*$/, ''),
      status: text(row, 'status'),
      origin: ORIGINS[origin ?? ''] ?? origin,
      sex: SEXES[sex ?? ''] ?? null,
      ...readAge(row, note),
      colour: COLOURS[colour ?? ''] ?? null,
      importType: IMPORT_TYPES[text(row, '進口類別') ?? ''] ?? null,
      owner: text(row, '馬主'),
      sire: text(row, '父系'),
      dam: text(row, '母系'),
      damSire: text(row, '外祖父'),
      seasonPrizeCents: prizeCents(text(row, '今季獎金*')),
      totalPrizeCents: prizeCents(text(row, '總獎金*') ?? text(row, '總獎金')),
      lastRating: rating === null ? null : Math.round(rating),
    },
  }
}

const OLDEST = 30

/** The layout of active horses prints country and age, `澳洲 / 5`, on the day of the profile. */
function readAge(row: CsvRow, note: Note): { age: number | null; ageOn: string | null } {
  const printedAge = /\/ (\d{1,2})$/.exec(text(row, '出生地___馬齡') ?? '')
  const age = printedAge === null ? null : Number(printedAge[1])
  if (age === null || age < 1 || age > OLDEST || text(row, 'profile_last_scraped') === null)
    return { age: null, ageOn: null }
  const ageOn = lenient(note, () => isoDay(row, 'profile_last_scraped'))
  return ageOn === null ? { age: null, ageOn: null } : { age, ageOn }
}

function prizeCents(cell: string | null): number | null {
  if (cell === null) return null
  try {
    return parseCents(cell.replace(/^\$/, ''))
  } catch {
    throw new RowError('bad-prize', cell)
  }
}

const readHorseName = (row: CsvRow): Draft => ({
  kind: 'horse-name',
  brand: required(row, 'brand'),
  names: { ...NO_NAMES, hant: required(row, 'name_zh'), en: titleCase(text(row, 'name_en')) },
})

/** Names are printed in capitals; screens show `Burst Away`. */
function titleCase(name: string | null): string | null {
  return (
    name
      ?.toLowerCase()
      .replace(
        /(^|[\s\-(])(\p{L})/gu,
        (_, before: string, letter: string) => before + letter.toUpperCase(),
      ) ?? null
  )
}

const readPerson =
  (kind: 'jockey' | 'trainer') =>
  (row: CsvRow): Draft => {
    const name = required(row, 'name_zh')
    return { kind, person: { ...NO_NAMES, name, hant: name, en: text(row, 'name_en') } }
  }

export const HK_HORSES: FileKind = {
  name: 'horses',
  order: 0,
  columns: ['horse_no', 'name', 'status', '毛色___性別', '進口類別', '父系', '母系', '外祖父'],
  read: readHorse,
}

export const HK_HORSE_NAMES: FileKind = {
  name: 'horse names',
  order: 1,
  columns: ['brand', 'name_zh', 'name_en', 'first_run', 'last_run'],
  read: readHorseName,
}

/** Both lists have the same columns, so the file name tells them apart. */
export const personNames = (kind: 'jockey' | 'trainer'): FileKind => ({
  name: `${kind} names`,
  order: 1,
  columns: ['name_zh', 'name_en', 'rows_agreeing', 'rows_total'],
  fileName: new RegExp(kind),
  read: readPerson(kind),
})
