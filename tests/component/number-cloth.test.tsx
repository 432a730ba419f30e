import { render, screen } from '@testing-library/react'
import { RawIntlProvider, createIntl } from 'react-intl'
import { MemoryRouter } from 'react-router-dom'
import { expect, test } from 'vitest'
import { loadMessages } from '../../src/i18n/language.ts'
import { NumberCloth } from '../../src/ui/number-cloth.tsx'
import { HelpLink } from '../../src/ui/help-link.tsx'

test('a saddle number that is hidden is a question mark, and its label is read instead of it', () => {
  render(<NumberCloth value={null} tone="hit" label="number 7" />)
  const cloth = screen.getByRole('img', { name: 'number 7' })
  expect(cloth.textContent).toBe('?')
  expect(cloth.classList).toContain('hit')
  expect(cloth.querySelector('svg')!.getAttribute('aria-hidden')).toBe('true')
})

test('the link to a help page has its text in the reader’s language', async () => {
  const intl = createIntl({ locale: 'zh-Hant', messages: await loadMessages('zh-Hant') })
  render(
    <RawIntlProvider value={intl}>
      <MemoryRouter>
        <HelpLink topic="lab" text="title.results" />
      </MemoryRouter>
    </RawIntlProvider>,
  )
  expect(screen.getByRole('link', { name: '賽果' }).getAttribute('href')).toBe('/pages/help/lab')
})
