import { useEffect, useState } from 'react'
import { useLanguage } from './language-provider.tsx'
import type { Language } from './language.ts'

type GridTexts = Record<string, string>

/** The grid's texts come from its vendor, one file per language, written by `tools/grid-locales.mjs`. */
const LOADERS: Readonly<Record<Exclude<Language, 'en'>, () => Promise<{ default: GridTexts }>>> = {
  'zh-Hant': () => import('./grid-zh-Hant.json'),
  'zh-Hans': () => import('./grid-zh-Hans.json'),
}

/** `texts` is `null` in English, the grid's built-in language. */
export function useGridLocale(): { ready: boolean; texts: GridTexts | null } {
  const { language } = useLanguage()
  const [loaded, setLoaded] = useState<{ language: Language; texts: GridTexts } | null>(null)
  useEffect(() => {
    if (language === 'en') return
    let gone = false
    void LOADERS[language]().then(({ default: texts }) => {
      if (!gone) setLoaded({ language, texts })
    })
    return () => {
      gone = true
    }
  }, [language])
  if (language === 'en') return { ready: true, texts: null }
  return loaded?.language === language ? { ready: true, texts: loaded.texts } : { ready: false, texts: null }
}
