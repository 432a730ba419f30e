import { useMemo } from 'react'
import { useIntl, type IntlShape } from 'react-intl'

const CLASS_WORDS: Readonly<Record<string, string>> = {
  C: 'raceClass.class',
  G: 'raceClass.group',
  GR: 'raceClass.grade',
  HKG: 'raceClass.localGroup',
}

/** Classes of Hong Kong's form records, and kinds of Australian races, that are words, whatever their case. */
const WHOLE_CLASSES: ReadonlySet<string> = new Set('GRIFFIN 2YO 3YO 4YO R L MDN HCAP STPL HRD'.split(' '))

/** Japanese conditions of a race by what its horses have won: until 2019 in ten thousand yen, of those of today. */
const CONDITIONS: Readonly<Record<string, { id: string; number?: string }>> = {
  新馬: { id: 'newcomer' },
  未勝利: { id: 'MDN' },
  '1勝クラス': { id: 'wins', number: '1' },
  '2勝クラス': { id: 'wins', number: '2' },
  '3勝クラス': { id: 'wins', number: '3' },
  '500万': { id: 'wins', number: '1' },
  '900万': { id: 'wins', number: '2' },
  '1000万': { id: 'wins', number: '2' },
  '1600万': { id: 'wins', number: '3' },
  オープン: { id: 'open' },
}
/** Before the condition of a race over jumps. */
const OVER_JUMPS = '障害'

/** Distances behind the winner that are words, as the Jockey Club's tables of results have them in its languages. */
const MARGINS: Readonly<Record<string, string>> = {
  鼻位: 'nose',
  N: 'nose',
  短馬頭位: 'shortHead',
  SH: 'shortHead',
  頭位: 'head',
  HD: 'head',
  頸位: 'neck',
  NK: 'neck',
  平頭馬: 'deadHeat',
  DH: 'deadHeat',
  多個馬位: 'many',
  ML: 'many',
}

const CLASS_CONDITIONS: Readonly<Record<string, string>> = {
  R: 'raceClass.restricted',
  S: 'raceClass.special',
}

/**
 * The text of a class or grade: `C5` is Class 5, `GR1` a Grade 1 race over jumps, `HKG3` a Group 3 race of Hong Kong alone,
 * `GRIFFIN` a griffin race.
 */
export function raceClassText(intl: IntlShape, code: string): string {
  const whole = code.toUpperCase()
  if (WHOLE_CLASSES.has(whole)) return intl.formatMessage({ id: `raceClass.${whole}` })
  const [, kind, number, condition = ''] = /^(C|G|GR|HKG)([1-7])([RS]?)$/.exec(code) ?? []
  if (kind === undefined || number === undefined) return conditionText(intl, code)
  const name = intl.formatMessage({ id: CLASS_WORDS[kind]! }, { number })
  const conditioned = CLASS_CONDITIONS[condition]
  return conditioned === undefined ? name : intl.formatMessage({ id: conditioned }, { name })
}

/** The words of a Japanese condition; of any other text, the text. */
function conditionText(intl: IntlShape, code: string): string {
  const isOverJumps = code.startsWith(OVER_JUMPS)
  const { id, number } = CONDITIONS[isOverJumps ? code.slice(OVER_JUMPS.length) : code] ?? {}
  if (id === undefined) return code
  const name = intl.formatMessage({ id: `raceClass.${id}` }, { number })
  return isOverJumps ? intl.formatMessage({ id: 'raceClass.jumps' }, { name }) : name
}

/** Translations of a race's coded attributes; a code without a translation is shown as is. */
export function useRaceWords() {
  const intl = useIntl()
  return useMemo(() => {
    const word = (id: string, code: string): string =>
      id in intl.messages ? intl.formatMessage({ id }) : code
    const translated = (wordOf: (code: string) => string) => (code: string | null) =>
      code === null ? null : wordOf(code)
    const trackOf = translated((code) => word(`track.${code}`, code))
    return {
      going: translated((code) => word(`going.${code}`, code)),
      track: (code: string | null, course: string | null): string | null => {
        const jumps = `jumps.${course}`
        if (jumps in intl.messages) return intl.formatMessage({ id: jumps })
        const track = trackOf(code)
        return track === null || course === null
          ? (track ?? course)
          : intl.formatMessage({ id: 'race.ground' }, { track, course })
      },
      raceClass: translated((code) => raceClassText(intl, code)),
      /** A distance behind the winner: words, or a number of lengths as it was published, `1-3/4`. */
      margin: translated((text) => word(`margin.${MARGINS[text] ?? ''}`, text)),
      /** The name of a piece of gear, from its code without marks. */
      gear: (code: string): string => word(`gear.${code}`, code),
      weather: translated((code) => word(`weather.${code}`, code)),
      sex: translated((text) => word(`sex.${text.toLowerCase()}`, text)),
      colour: translated((text) => word(`colour.${text.toLowerCase()}`, text)),
      importType: translated((text) => word(`importType.${text}`, text)),
      /** A horse's status: whether it is still racing. */
      status: translated((text) => word(`horseStatus.${text}`, text)),
    }
  }, [intl])
}
