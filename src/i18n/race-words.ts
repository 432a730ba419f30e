import { useMemo } from 'react'
import { useIntl, type IntlShape } from 'react-intl'

/** Translations of a race's coded attributes; a code without a translation is shown as is. */
export interface RaceWords {
  going(code: string | null): string | null
  track(code: string | null, course: string | null): string | null
  raceClass(code: string | null): string | null
  weather(code: string | null): string | null
  sex(text: string | null): string | null
  colour(text: string | null): string | null
  importType(text: string | null): string | null
  /** A horse's status: whether it is still racing. */
  status(text: string | null): string | null
}

const CLASS_WORDS: Readonly<Record<string, string>> = {
  C: 'raceClass.class',
  G: 'raceClass.group',
  HKG: 'raceClass.localGroup',
}

/** The text of a class or grade: `C5` is Class 5, `HKG3` a Group 3 race of Hong Kong alone. */
export function raceClassText(intl: IntlShape, code: string): string {
  const [, kind, number, restricted] = /^(C|G|HKG)([1-5])(R?)$/.exec(code) ?? []
  if (kind === undefined || number === undefined) return code
  const name = intl.formatMessage({ id: CLASS_WORDS[kind]! }, { number })
  return restricted === '' ? name : intl.formatMessage({ id: 'raceClass.restricted' }, { name })
}

export function useRaceWords(): RaceWords {
  const intl = useIntl()
  return useMemo(() => {
    const word = (id: string, fallback: string): string =>
      id in intl.messages ? intl.formatMessage({ id }) : fallback
    return {
      going: (code) => (code === null ? null : word(`going.${code}`, code)),
      track: (code, course) => {
        if (code === null) return course
        const track = word(`track.${code}`, code)
        return course === null ? track : `${track} · ${course}`
      },
      importType: (text) => (text === null ? null : word(`importType.${text}`, text)),
      status: (text) => (text === null ? null : word(`horseStatus.${text}`, text)),
      raceClass: (code) => (code === null ? null : raceClassText(intl, code)),
      weather: (code) => (code === null ? null : word(`weather.${code}`, code)),
      sex: (text) => (text === null ? null : word(`sex.${text.toLowerCase()}`, text)),
      colour: (text) => (text === null ? null : word(`colour.${text.toLowerCase()}`, text)),
    }
  }, [intl])
}
