import { render, screen } from '@testing-library/react'
import { RawIntlProvider, createIntl } from 'react-intl'
import { MemoryRouter } from 'react-router-dom'
import { expect, test } from 'vitest'
import { loadMessages } from '../../src/i18n/language.ts'
import { NumberCloth, NumbersOf } from '../../src/ui/number-cloth.tsx'
import { HelpLink } from '../../src/ui/help-link.tsx'

test('a saddle number that is hidden is a question mark, and its label is read instead of it', () => {
  render(<NumberCloth value={null} tone="hit" label="number 7" />)
  const cloth = screen.getByRole('img', { name: 'number 7' })
  expect(cloth.textContent).toBe('?')
  expect(cloth.classList).toContain('hit')
  expect(cloth.querySelector('svg')!.getAttribute('aria-hidden')).toBe('true')
})

test('a number that is no saddle number is on no cloth', () => {
  for (const numbersByName of [true, false])
    render(
      <NumbersOf race={{ numbersByName }}>
        <NumberCloth value={7} label={numbersByName ? 'ours' : 'saddle'} />
      </NumbersOf>,
    )
  const [ours, saddle] = ['ours', 'saddle'].map((name) => screen.getByRole('img', { name }))
  expect([ours!.textContent, saddle!.textContent]).toEqual(['7', '7'])
  expect([ours!.querySelector('path'), saddle!.querySelector('circle')]).toEqual([null, null])
})

test('while it is not known what the numbers of a race are, they are on no cloths', () => {
  render(
    <NumbersOf race={undefined}>
      <NumberCloth value={7} label="unknown" />
    </NumbersOf>,
  )
  expect(screen.getByRole('img', { name: 'unknown' }).classList).toContain('unknown')
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
