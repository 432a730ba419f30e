declare module 'virtual:opening' {
  /** Heading and first sentence of a screen. */
  interface Words {
    title: string
    lead: string
  }
  const opening: Readonly<
    Record<import('../domain/languages.ts').Language, Record<'home' | 'record' | 'results', Words>>
  >
  export default opening
}

declare module 'virtual:question-words' {
  const texts: import('../analytics/questions/texts.ts').QuestionTexts
  export default texts
}

declare module 'plotly.js/lib/core' {
  import type Plotly from 'plotly.js'
  export default Plotly as typeof Plotly & { register(modules: unknown[]): void }
}
declare module 'plotly.js/lib/bar'
/** `version` of package.json at build time. */
declare const __BUILD_VERSION__: string

/** Loads messages: those that every screen needs by language, and those of a part by `language/part`. */
declare module 'virtual:messages' {
  type Load = () => Promise<{ default: Record<string, import('react-intl').MessageFormatElement[]> }>
  export const ofEveryScreen: Readonly<Record<string, Load>>
  export const ofPart: Readonly<Record<string, Load>>
}
