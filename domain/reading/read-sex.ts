import { cleanText, missingOf } from './clean-text.ts'
import { MISSING, valueOf, type Reading } from './reading.ts'

/** A horse's sex: horses and mares are five years old or more, colts and fillies younger; a rig has a hidden testicle, or one left. */
export const SEXES = ['colt', 'filly', 'gelding', 'horse', 'mare', 'rig'] as const
export type Sex = (typeof SEXES)[number]

/** No horse races at a greater age; in years. */
export const OLDEST = 30

type Kind = Sex | 'male' | 'female'

const list = (text: string): string[] => text.split(' ')

/** As racing files write them, in lower case. Japanese files tell males from females only. */
const WORDS: Readonly<Record<Kind, readonly string[]>> = {
  colt: list('colt c 雄駒 雄驹'),
  filly: list('filly f 雌駒 雌驹'),
  gelding: list('gelding g 閹 阉 閹馬 阉马 騸 骟 騸馬 骟马 セ セン せん せん馬'),
  horse: list('horse h entire stallion 雄 雄馬 雄马'),
  mare: list('mare m 雌 雌馬 雌马'),
  rig: list('rig r ridgling 隱睪 隐睾 半閹 半阉'),
  male: list('male 牡'),
  female: list('female 牝'),
}
const KIND_OF = new Map(
  Object.entries(WORDS).flatMap(([kind, words]) => words.map((word) => [word, kind as Kind])),
)

/** Age at which a colt is called a horse and a filly a mare (the glossary of the British Horseracing Authority). */
const GROWN = 5

/** A horse's sex, and its age if the text has it too: `牝3`, `セン5`, `4歳 牡` are common in Japanese files. */
export interface SexAndAge {
  sex: Sex
  age: number | null
}

const PARTS = /^(?:(\d{1,2}) ?(?:歳|歲|岁|yo)? ?)?([^\d\s]+?)(?: ?(\d{1,2}) ?(?:歳|歲|岁|yo)?)?$/

function sexOf(kind: Kind, age: number): Sex {
  if (kind === 'male') return age >= GROWN ? 'horse' : 'colt'
  if (kind === 'female') return age >= GROWN ? 'mare' : 'filly'
  return kind
}

const isAge = (age: number | null): boolean => age === null || (age >= 1 && age <= OLDEST)

/**
 * Of a male or a female the age decides what it is called, that of the text or `age`; without either it is grown.
 *
 * ```ts
 * readSexAndAge('牝3') // => { kind: 'value', value: { sex: 'filly', age: 3 } }
 * readSexAndAge('G') // => { kind: 'value', value: { sex: 'gelding', age: null } }
 * ```
 */
export function readSexAndAge(text: string, age: number | null = null): Reading<SexAndAge, 'not-a-sex'> {
  const clean = cleanText(text)
  if (missingOf(clean)) return MISSING
  const [, before, word = '', after] = PARTS.exec(clean.toLowerCase()) ?? []
  const kind = before !== undefined && after !== undefined ? undefined : KIND_OF.get(word)
  const inText = before ?? after
  const own = inText === undefined ? null : Number(inText)
  if (kind === undefined || !isAge(own))
    return { kind: 'unreadable', problem: 'not-a-sex', form: SEXES.join(', ') }
  return valueOf({ sex: sexOf(kind, own ?? age ?? GROWN), age: own })
}

/** As `readSexAndAge`, of a column that has the sex alone. */
export function readSex(text: string, age: number | null = null): Reading<Sex, 'not-a-sex'> {
  const reading = readSexAndAge(text, age)
  return reading.kind === 'value' ? valueOf(reading.value.sex) : reading
}
