import { screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { NO_CHOICES, type OwnChoices, type OwnDays, type OwnFile } from '../../analytics/own-api.ts'
import { LANGUAGES } from '../../domain/languages.ts'
import { OwnReading } from '../../src/workspace/own/own-reading.tsx'
import { renderPart } from './render.tsx'

/** What was assumed when a file of one's own was read. */

const FILE: OwnFile = {
  rows: 2,
  columns: [],
  roles: {},
  encoding: 'big5',
  sign: { decimal: '.', by: 'assumed', example: '2,289' },
  notes: [
    { note: 'unpacked', values: { entry: 'ratings.csv' } },
    { note: 'gunzipped', values: {} },
    { note: 'sheet', values: { sheet: 'Sheet1', count: 2 } },
    { note: 'above', values: { count: 1 } },
    { note: 'left-out', values: { columns: '1, 7' } },
    { note: 'named', values: { count: 2 } },
    { note: 'numbered', values: { count: 1 } },
    { note: 'counter', values: { column: 'index' } },
    { note: 'not-numbers', values: { column: 'weight', line: 1234, value: '55kg' } },
    { note: 'odds', values: { column: 'SP', value: '5/2' } },
    { note: 'serial-days', values: { column: 'date' } },
  ],
}
const DAYS: OwnDays = {
  order: 'mdy',
  by: 'matched',
  orders: ['dmy', 'mdy'],
  example: '7/1/2031',
  day: '2031-07-01',
}

const show = (file: OwnFile, days: OwnDays | null, language: (typeof LANGUAGES)[number] = 'en') => {
  const onChoices = vi.fn<(choices: OwnChoices) => void>()
  return renderPart(<OwnReading file={file} days={days} choices={NO_CHOICES} onChoices={onChoices} />, {
    parts: ['own'],
    language,
  }).then((rendered) => ({ ...rendered, onChoices }))
}

test.for(LANGUAGES)('all that was assumed is said, with its values: %s', async (language) => {
  const { container } = await show(FILE, DAYS, language)
  const text = container.textContent
  expect(container.querySelectorAll('[data-note]')).toHaveLength(FILE.notes.length)
  for (const value of [
    'ratings.csv',
    'Sheet1',
    '1, 7',
    'weight',
    '1,234',
    '55kg',
    '5/2',
    '2,289',
    '7/1/2031',
  ])
    expect(text).toContain(value)
  expect(text).not.toMatch(/[{}]|undefined|own\./)
})

test('each assumption can be changed', async () => {
  const { user, onChoices } = await show(FILE, DAYS)
  const change = async (name: string, option: string) => {
    await user.selectOptions(screen.getByRole('combobox', { name }), option)
    return onChoices.mock.lastCall?.[0]
  }
  expect(await change('Encoding', 'gb18030')).toEqual({ ...NO_CHOICES, encoding: 'gb18030' })
  expect(await change('Decimal sign', ',')).toEqual({ ...NO_CHOICES, decimal: ',' })
  expect(await change('Order of day, month and year', 'dmy')).toEqual({ ...NO_CHOICES, dayOrder: 'dmy' })
})

test('nothing is said of what a file does not leave open', async () => {
  const sure: OwnFile = {
    ...FILE,
    encoding: null,
    sign: { decimal: '.', by: 'proved', example: null },
    notes: [],
  }
  const { container } = await show(sure, null)
  expect(container.querySelector('[data-testid=own-reading]')).toBeNull()
  await show(sure, { ...DAYS, orders: ['mdy'], by: 'possible' })
  expect(screen.queryByRole('combobox')).toBeNull()
})
