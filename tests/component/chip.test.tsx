import { render, screen } from '@testing-library/react'
import { RawIntlProvider, createIntl } from 'react-intl'
import { MemoryRouter } from 'react-router-dom'
import { expect, test } from 'vitest'
import { loadMessages } from '../../src/i18n/language.ts'
import { Chip } from '../../src/ui/chip.tsx'
import { HelpLink } from '../../src/ui/help-link.tsx'

test('a saddle number that is hidden is a question mark, and its label is read instead of it', () => {
  render(<Chip value={null} tone="hit" label="number 7" />)
  const chip = screen.getByRole('img', { name: 'number 7' })
  expect(chip.textContent).toBe('?')
  expect(chip.className).toBe('chip hit')
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
  expect(screen.getByRole('link', { name: '預測結果' }).getAttribute('href')).toBe('/pages/help/lab')
})
