import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, within, type RenderResult } from '@testing-library/react'
import userEvent, { PointerEventsCheckLevel, type UserEvent } from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { HashRouter } from 'react-router-dom'
import { afterEach, beforeEach, expect, vi } from 'vitest'
import { queryClient } from '../../src/app/query-client.ts'
import { storeToken } from '../../src/data/client/session.ts'
import type { Language } from '../../domain/languages.ts'
import type { ExtraPart } from '../../src/i18n/extra-parts.ts'
import { ExtraTexts } from '../../src/i18n/extra-texts.tsx'
import { LanguageProvider } from '../../src/i18n/language-provider.tsx'
import { loadExtraMessages, loadMessages } from '../../src/i18n/language.ts'
import { Toasts } from '../../src/ui/toast.tsx'
import { setWidth, standDown, standIn } from './browser-stand-ins.ts'
import { PreparedServer } from './prepared-server.ts'

export interface RenderOptions {
  language?: Language
  /** Messages beside those of every screen. */
  parts?: readonly ExtraPart[]
  /** The address behind the `#`. */
  path?: string
  /** Width of the window in pixels. */
  width?: number
}

/** The answers of the server in the running test. */
export let server: PreparedServer

standIn()
// What failed is asked for again at once: a second for each such test would be most of its time.
const usual = queryClient.getDefaultOptions()
queryClient.setDefaultOptions({ ...usual, queries: { ...usual.queries, retryDelay: 0 } })
beforeEach(() => {
  // Nothing here depends on styles, which make each question about an element slow.
  for (const style of document.querySelectorAll('style')) style.remove()
  // Answers arrive between the steps of a test, which waits for states of the page.
  globalThis.IS_REACT_ACT_ENVIRONMENT = false
  server = new PreparedServer()
  vi.stubGlobal('fetch', server.fetch)
  vi.spyOn(console, 'error').mockImplementation((...words: unknown[]) => {
    problems.push(words.map(String).join(' '))
  })
})

/** Words on the console: missing messages, and what React finds wrong. */
const problems: string[] = []

afterEach(() => {
  cleanup()
  queryClient.clear()
  standDown()
  storeToken(null)
  localStorage.clear()
  sessionStorage.clear()
  location.hash = ''
  const found = [...problems.splice(0), ...server.unexpected.map((each) => `not prepared: ${each}`)]
  vi.restoreAllMocks()
  expect(found).toEqual([])
})

/** Renders a part of the site with the providers that the site has, in a language's own messages. */
export async function renderPart(
  part: ReactNode,
  { language = 'en', parts = [], path = '/', width = 1280 }: RenderOptions = {},
): Promise<RenderResult & { user: UserEvent }> {
  setWidth(width)
  location.hash = path
  document.documentElement.lang = language
  const [messages] = await Promise.all([
    loadMessages(language),
    ...parts.map((each) => loadExtraMessages(each, language)),
  ])
  const withTexts = parts.reduce<ReactNode>(
    (inner, each) => (
      <ExtraTexts part={each} waiting={null}>
        {inner}
      </ExtraTexts>
    ),
    part,
  )
  const user = userEvent.setup({ pointerEventsCheck: PointerEventsCheckLevel.Never })
  const rendered = render(
    <QueryClientProvider client={queryClient}>
      <LanguageProvider first={{ language, messages }}>
        <HashRouter>{withTexts}</HashRouter>
        <Toasts />
      </LanguageProvider>
    </QueryClientProvider>,
  )
  return { ...rendered, user }
}

/** The address behind the `#`, readable. */
export const address = (): string => decodeURIComponent(location.hash.slice(1))

/** A part of the page that a test finds by its mark. */
export const part = (mark: string): HTMLElement => screen.getByTestId(mark)

/** The texts of the cells of a row, found by its key. */
export const cellsOf = (table: HTMLElement, key: string | number): string[] =>
  [...rowOf(table, key).querySelectorAll('td')].map((cell) => cell.textContent)

export function rowOf(table: HTMLElement, key: string | number): HTMLElement {
  // Not by a selector: in jsdom `[data-key="null"]` is also a row without a key.
  const row = [...table.querySelectorAll('tr')].find((each) => each.dataset['key'] === String(key))
  if (!row) throw new Error(`no row ${key} in ${table.textContent}`)
  return row
}

/** Chooses an option of a list by its name or value. */
export const labelled = (name: string, inside: HTMLElement = document.body): HTMLElement =>
  within(inside).getByLabelText(name)
