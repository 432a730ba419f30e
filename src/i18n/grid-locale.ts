import { useEffect, useState } from 'react'
import { useLanguage } from './language-provider.tsx'
import type { Language } from '../../domain/languages.ts'

type GridTexts = Record<string, string>

/** The grid's texts come from its vendor, one file per language, written by `tools/grid-locales.mjs`. */
const FILES = import.meta.glob<{ default: GridTexts }>('./grid-*.json')

/** `texts` is `null` in the grid's built-in language. */
export function useGridLocale(): { ready: boolean; texts: GridTexts | null } {
  const { language } = useLanguage()
  const [loaded, setLoaded] = useState<{ language: Language; texts: GridTexts } | null>(null)
  useEffect(() => {
    const load = FILES[`./grid-${language}.json`]
    if (!load) return
    let gone = false
    void load().then(({ default: texts }) => {
      if (!gone) setLoaded({ language, texts })
    })
    return () => {
      gone = true
    }
  }, [language])
  if (!(`./grid-${language}.json` in FILES)) return { ready: true, texts: null }
  return loaded?.language === language ? { ready: true, texts: loaded.texts } : { ready: false, texts: null }
}
