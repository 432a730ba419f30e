import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { Name, NameNotes, PersonName } from '../../src/i18n/name.tsx'
import { renderPart } from './render.tsx'

/** Names that the reader's language lacks. */

const NAMES = (
  <>
    <Name language="en">Golden Sixty</Name>, <Name language={null}>H012</Name>,{' '}
    <Name language={null}>H013</Name>, <Name language={undefined}>unknown</Name>
    <NameNotes />
  </>
)

test('brands among names are said once, and no name has a badge', async () => {
  await renderPart(NAMES)
  expect(document.body.textContent).toContain('Golden Sixty, H012, H013, unknown')
  expect((await screen.findByTestId('name-notes')).textContent).toBe(
    'Horses without an English name are shown by their brand number.',
  )
})

test('names of another language carry it, and each language is said once', async () => {
  await renderPart(NAMES, { language: 'zh-Hans' })
  expect(document.querySelector('span[lang=en]')!.textContent).toBe('Golden Sixty')
  expect((await screen.findByTestId('name-notes')).children).toHaveLength(2)
})

test('a jockey without a name in the reader’s language has another one, and nobody is a brand', async () => {
  await renderPart(
    <>
      <PersonName name="潘頓" language="zh-Hant" />, <PersonName name="Z Purton" language="en" />,{' '}
      <PersonName name="unknown" language={null} />, <PersonName name={null} language={null} />
      <NameNotes />
    </>,
  )
  expect(document.body.textContent).toContain('潘頓, Z Purton, unknown, –')
  expect([...document.querySelectorAll('span[lang]')].map(({ textContent }) => textContent)).toEqual(['潘頓'])
  expect((await screen.findByTestId('name-notes')).textContent).toBe(
    'Names without one in your language are in Chinese or Japanese.',
  )
})

test('a page whose names are all of the reader’s language says nothing', async () => {
  await renderPart(
    <>
      <Name language="en">Golden Sixty</Name>
      <NameNotes />
    </>,
  )
  expect(screen.queryByTestId('name-notes')).toBeNull()
})
