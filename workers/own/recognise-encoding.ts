import { analyse } from 'chardet'
import type { OwnEncoding } from '../../analytics/own-api.ts'
import { guessRoles } from '../../domain/reading/own-columns.ts'

/**
 * Encodings that are tried for a text that is not UTF-8, the library's names of each, and whether a pair of bytes is one of
 * its frequent characters: those of the first level of its standard, and kana.
 */
const TRIED: readonly {
  encoding: OwnEncoding
  names: readonly string[]
  isFrequent?: (lead: number, trail: number) => boolean
}[] = [
  { encoding: 'big5', names: ['Big5'], isFrequent: (lead) => lead >= 0xa4 && lead <= 0xc6 },
  {
    encoding: 'gb18030',
    names: ['GB18030'],
    isFrequent: (lead, trail) => lead >= 0xb0 && lead <= 0xd7 && trail >= 0xa1,
  },
  {
    encoding: 'shift_jis',
    names: ['Shift_JIS'],
    isFrequent: (lead) => lead === 0x82 || lead === 0x83 || (lead >= 0x88 && lead <= 0x97),
  },
  { encoding: 'windows-1252', names: ['windows-1252', 'ISO-8859-1'] },
]
/** A text of nothing but frequent characters is worth more than the library's scale: it needs long texts. */
const ALL_FREQUENT = 150
const SAMPLE_BYTES = 100_000
/** A known name of a column is worth more than the library's whole scale of 100. */
const KNOWN_NAME = 200
const HEAD_LINES = 5

/**
 * The likeliest encoding of a text that is not UTF-8: of those in which all its bytes are characters, by names of
 * columns that are known, and by the characters that each language uses most.
 */
export function recognisedEncoding(bytes: Uint8Array): OwnEncoding {
  const sample = bytes.subarray(0, SAMPLE_BYTES)
  const confidence = new Map<string, number>(analyse(sample).map(({ name, confidence: of }) => [name, of]))
  const paired = pairedShare(sample)
  const scored = TRIED.flatMap(({ encoding, names, isFrequent }) => {
    const text = decoded(sample, encoding)
    if (text === null) return []
    const fits = paired > 0.6 === (isFrequent !== undefined) ? 100 : 0
    const frequent = isFrequent === undefined ? 0 : frequentShare(sample, encoding, isFrequent)
    const known = Math.max(
      ...text
        .split('\n', HEAD_LINES)
        .map((line) => Object.keys(guessRoles(line.split(/[,;\t|]/).filter(isForeign))).length),
    )
    return [
      {
        encoding,
        score:
          known * KNOWN_NAME +
          fits +
          frequent * ALL_FREQUENT +
          Math.max(...names.map((name) => confidence.get(name) ?? 0)),
      },
    ]
  })
  return scored.toSorted((a, b) => b.score - a.score)[0]?.encoding ?? 'windows-1252'
}

/** Only names with other than ASCII characters tell encodings apart. */
const isForeign = (name: string): boolean => /[^\0-\u007F]/.test(name)

function decoded(bytes: Uint8Array, encoding: OwnEncoding): string | null {
  try {
    // The sample may end within a character.
    return new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: true })
  } catch {
    return null
  }
}

/** The share of characters of two bytes that are frequent; a single byte above ASCII (half-width kana) is not. */
function frequentShare(
  bytes: Uint8Array,
  encoding: OwnEncoding,
  isFrequent: (lead: number, trail: number) => boolean,
): number {
  let characters = 0
  let frequent = 0
  for (let at = 0; at < bytes.length; at += 1) {
    const lead = bytes[at]!
    if (lead < 128) continue
    characters += 1
    if (encoding === 'shift_jis' && lead >= 0xa0 && lead <= 0xdf) continue
    if (isFrequent(lead, bytes[at + 1] ?? 0)) frequent += 1
    at += 1
  }
  return characters === 0 ? 0 : frequent / characters
}

/**
 * The share of bytes above ASCII that have another one beside them or one further: nearly all in Chinese and Japanese,
 * few among accented Latin letters.
 */
function pairedShare(bytes: Uint8Array): number {
  let high = 0
  let paired = 0
  for (let at = 0; at < bytes.length; at += 1) {
    if (bytes[at]! < 128) continue
    high += 1
    if ([-2, -1, 1, 2].some((step) => (bytes[at + step] ?? 0) >= 128)) paired += 1
  }
  return high === 0 ? 0 : paired / high
}
