import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { LANGUAGES } from '../../domain/languages.ts'
import { HELP_TOPICS } from '../../src/ui/help-topics.ts'

const TOPICS = Object.keys(HELP_TOPICS)
const SECTIONS = ['what', 'use', 'figures', 'works', 'stored', 'limits']
/** Topics without figures say how they work instead. */
const MADE = new Map([['notes', 'works.1']])

const messagesOf = (language: string): Record<string, string> =>
  JSON.parse(readFileSync(`locales/${language}/help.json`, 'utf8')) as Record<string, string>

/**
 * Keys that no page shows: of an unknown topic or section, or with a number after a gap, because a page shows the
 * numbers of a section from 1 until one is missing.
 */
function unseen(messages: Readonly<Record<string, string>>): string[] {
  const seen = new Set(['help.topics', ...SECTIONS.map((section) => `help.section.${section}`)])
  for (const topic of TOPICS) {
    seen.add(`help.${topic}.title`).add(`help.${topic}.open`)
    for (const section of SECTIONS)
      for (let number = 1; `help.${topic}.${section}.${number}` in messages; number += 1)
        seen.add(`help.${topic}.${section}.${number}`)
  }
  return Object.keys(messages).filter((key) => !seen.has(key))
}

test.each(LANGUAGES)('%s: every text of the help is shown, and every page has its sections', (language) => {
  const messages = messagesOf(language)
  expect(unseen(messages)).toEqual([])
  for (const topic of TOPICS)
    for (const section of ['title', 'open', 'what.1', 'use.1', MADE.get(topic) ?? 'figures.1', 'limits.1'])
      expect(messages, topic).toHaveProperty([`help.${topic}.${section}`])
})

test('a gap in the numbers of a section and an unknown topic are seen', () => {
  const messages = { 'help.lab.use.1': '', 'help.lab.use.3': '', 'help.gone.use.1': '' }
  expect(unseen(messages)).toEqual(['help.lab.use.3', 'help.gone.use.1'])
})

test.each(LANGUAGES)('%s: marks of subjects and formulas are closed', (language) => {
  for (const [key, text] of Object.entries(messagesOf(language)))
    for (const tag of ['b', 'f', 'e'])
      expect(text.split(`<${tag}>`).length, key).toBe(text.split(`</${tag}>`).length)
})
