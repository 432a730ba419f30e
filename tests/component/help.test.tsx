import { screen, waitFor, within } from '@testing-library/react'
import { Route, Routes } from 'react-router-dom'
import { expect, test } from 'vitest'
import { LANGUAGES } from '../../domain/languages.ts'
import { HelpScreen } from '../../src/screens/help/help-screen.tsx'
import { HELP_TOPICS } from '../../src/ui/help-topics.ts'
import { address, renderPart, type RenderOptions } from './render.tsx'

/** The help pages in each language. */

const open = (topic: string, options: RenderOptions = {}) =>
  renderPart(
    <Routes>
      <Route path="/pages/help/:topic" element={<HelpScreen />} />
    </Routes>,
    { parts: ['help'], path: `/pages/help/${topic}`, ...options },
  )

/** The sections of the page on screen, each with its headings and its paragraphs and points. */
const sections = (): string[] =>
  [...document.querySelectorAll<HTMLElement>('article section')].map((each) =>
    [each.dataset['section'], each.querySelectorAll('h2').length, each.querySelectorAll('p, li').length].join(
      ' ',
    ),
  )

test.for(Object.keys(HELP_TOPICS))(
  'every help page has the same sections in every language: %s',
  async (topic) => {
    const found: string[] = []
    for (const language of LANGUAGES) {
      const { unmount } = await open(topic, { language })
      await waitFor(() => expect(sections().length).toBeGreaterThanOrEqual(4))
      found.push(sections().join(', '))
      unmount()
    }
    expect(new Set(found).size).toBe(1)
  },
)

test('the list leads to every page; an unknown topic is the first one', async () => {
  const { user } = await open('no-such-topic')
  await waitFor(() => expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Record'))
  expect(address()).toBe('/pages/help/record')
  const list = screen.getByRole('navigation', { name: 'Help pages' })
  expect(within(list).getAllByRole('link')).toHaveLength(Object.keys(HELP_TOPICS).length)
  await user.click(within(list).getByRole('link', { name: 'Notes' }))
  await waitFor(() => expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Notes'))
  await waitFor(() => expect(document.title).toBe('Notes · Help · Furlong'))
})
