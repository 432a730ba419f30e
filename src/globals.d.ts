declare module 'virtual:opening' {
  /** Heading and first sentence of a screen. */
  interface Words {
    title: string
    lead: string
  }
  const opening: Readonly<
    Record<import('../domain/languages.ts').Language, Record<'home' | 'record' | 'results' | 'tips', Words>>
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

/** Messages that every screen needs, by language. */
declare module 'virtual:messages/*' {
  const messages: Record<string, import('react-intl').MessageFormatElement[]>
  export default messages
}

/** Loads the messages that every screen needs, by language. Each call rejects if they could not be loaded. */
declare module 'virtual:shared-messages' {
  const messages: Readonly<
    Record<
      import('../domain/languages.ts').Language,
      () => Promise<{ default: Record<string, import('react-intl').MessageFormatElement[]> }>
    >
  >
  export default messages
}

/** Loads the messages of a part, by `language/part`. */
declare module 'virtual:message-parts' {
  const parts: Readonly<
    Record<string, () => Promise<{ default: Record<string, import('react-intl').MessageFormatElement[]> }>>
  >
  export default parts
}
