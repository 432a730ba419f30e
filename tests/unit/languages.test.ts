import { existsSync, readdirSync, readFileSync } from 'node:fs'
import * as gridTexts from '@ag-grid-community/locale'
import { describe, expect, test } from 'vitest'
import { LANGUAGE_RULES, LANGUAGES, languageOfTags, NAME_COLUMNS } from '../../domain/languages.ts'

const at = (path: string): URL => new URL(`../../${path}`, import.meta.url)

describe.each(LANGUAGE_RULES)('$id', ({ id, calendar, gridTexts: name, names }) => {
  test('has its legal texts, in its own language', () => {
    for (const text of ['terms', 'privacy'])
      expect(readFileSync(at(`public/legal/${text}.${id}.html`), 'utf8')).toContain(`<html lang="${id}">`)
  })
  test('has the grid’s texts that the tool wrote, unless they are built in', () => {
    expect(existsSync(at(`src/i18n/grid-${id}.json`))).toBe(name !== null)
    if (name === null) return
    const shipped = JSON.parse(readFileSync(at(`src/i18n/grid-${id}.json`), 'utf8')) as object
    expect((gridTexts as Readonly<Record<string, object>>)[name]).toMatchObject(shipped)
  })
  test('is known to Intl, and orders every column of names', () => {
    expect(Intl.NumberFormat.supportedLocalesOf([id, calendar])).toEqual([id, calendar])
    expect([...names].toSorted()).toEqual([...NAME_COLUMNS].toSorted())
  })
  test('is what its own tag means', () => {
    expect(languageOfTags([id])).toBe(id)
  })
})

test('every folder of texts, and every legal text, is of a language that is offered', () => {
  expect(readdirSync(at('locales')).toSorted()).toEqual(LANGUAGES.toSorted())
  const legal = readdirSync(at('public/legal')).filter((name) => name.endsWith('.html'))
  const texts = LANGUAGES.flatMap((id) => [`privacy.${id}.html`, `terms.${id}.html`])
  expect(legal.toSorted()).toEqual(texts.toSorted())
})

test('no country starts with two languages, and every column of names has its language', () => {
  const countries = LANGUAGE_RULES.flatMap((rules): readonly string[] => rules.countries)
  expect(new Set(countries).size).toBe(countries.length)
  const own = LANGUAGE_RULES.flatMap(({ names, hasOwnNames }) => (hasOwnNames ? [names[0]] : []))
  expect(own.toSorted()).toEqual([...NAME_COLUMNS].toSorted())
  expect(new Set(LANGUAGES).size).toBe(LANGUAGES.length)
})
