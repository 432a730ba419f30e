import { screen } from '@testing-library/react'
import { useState } from 'react'
import { describe, expect, test, vi } from 'vitest'
import { NumberField, type NumberFieldProps } from '../../src/ui/fields/number-field.tsx'
import { renderPart, type RenderOptions } from './render.tsx'

/** The one number field: what it takes, and what it says of what it does not take. */

const onChange = vi.fn<(value: number | null) => void>()

function Held({ value, ...props }: Omit<NumberFieldProps, 'id' | 'onChange'>) {
  const [now, setNow] = useState(value)
  return (
    <NumberField
      id="held"
      value={now}
      onChange={(next) => {
        onChange(next)
        setNow(next)
      }}
      {...props}
    />
  )
}

async function openField(
  props: Omit<NumberFieldProps, 'id' | 'onChange'>,
  text: string,
  language: RenderOptions['language'] = 'en',
) {
  onChange.mockClear()
  const { user } = await renderPart(<Held {...props} />, { language })
  const field = screen.getByRole<HTMLInputElement>('spinbutton')
  await user.clear(field)
  if (text !== '') await user.type(field, text)
  await user.tab()
  return { user, field }
}

const said = (): string | null => screen.queryByRole('alert')?.textContent ?? null

test.each([
  ['en', '“2,5” was not read: the decimal sign is “.” here. Write 2.5. In use: 10.'],
  ['zh-Hant', '未能讀取「2,5」：此處的小數點是「.」，請寫成 2.5。 現正使用：10。'],
  ['zh-Hans', '未能读取“2,5”：此处的小数点是“.”，请写成 2.5。 正在使用：10。'],
] as const)(
  'a comma where the language writes a point is not left out of the number (%s)',
  async (language, words) => {
    const { field } = await openField({ value: 10 }, '2,5', language)
    expect(said()).toBe(words)
    expect(onChange).not.toHaveBeenCalled()
    // What was typed stays, so that it can be mended.
    expect(field.value).toBe('2,5')
    expect(field.getAttribute('aria-invalid')).toBe('true')
    expect(document.getElementById(field.getAttribute('aria-describedby')!)!.textContent).toBe(words)
  },
)

test.each([
  ['2.5', 2.5],
  ['1,234.5', 1234.5],
  ['２５', 25],
  ['', null],
])('%j is taken as %j', async (text, value) => {
  await openField({ value: 10 }, text)
  expect(said()).toBeNull()
  expect(onChange.mock.calls).toEqual([[value]])
})

describe('what is out of its limits is refused with the limit, and not changed to it', () => {
  test.each([
    ['0.5', { min: 1 }, '“0.5” is below 1.'],
    ['101', { max: 100 }, '“101” is above 100.'],
    ['2.5', { places: 0 }, '“2.5” is not a whole number such as 2.'],
    ['2.555', { places: 2 }, '“2.555” has too many decimals. The nearest number that fits is 2.56.'],
    ['ten', {}, '“ten” is not a number such as 2.5.'],
    ['', { needed: true }, 'A number is needed here.'],
  ])('%j', async (text, limits, words) => {
    await openField({ value: 10, ...limits }, text)
    expect(said()).toBe(`${words} In use: 10.`)
    expect(onChange).not.toHaveBeenCalled()
  })
})

test('a problem goes with the next text, and Enter takes it', async () => {
  const { user, field } = await openField({ value: 10 }, '2,5')
  await user.clear(field)
  expect(said()).toBeNull()
  await user.type(field, '2.5{Enter}')
  expect(onChange.mock.calls).toEqual([[2.5]])
})

test('the arrow keys step within the limits, exactly, and count once the field is left', async () => {
  const { user, field } = await openField({ value: 10, step: 0.1, max: 10.3 }, '10')
  await user.click(field)
  await user.keyboard('{ArrowUp}{ArrowUp}{ArrowUp}{ArrowUp}')
  expect(field.value).toBe('10.3')
  expect(onChange).not.toHaveBeenCalled()
  await user.keyboard('{ArrowDown}')
  await user.tab()
  expect(onChange.mock.calls).toEqual([[10.2]])
})

describe('the number that is told beside the text', () => {
  const told = (field: HTMLElement): string | null => field.getAttribute('aria-valuenow')

  test.each([
    ['ten', {}],
    ['2,5', {}],
    ['-', {}],
    ['', {}],
    ['', { needed: true }],
    ['101', { max: 100 }],
  ])('is none while the text is no number of the field: %j', async (text, limits) => {
    const { field } = await openField({ value: 10, ...limits }, text)
    expect(told(field)).toBeNull()
  })

  test('is that of the text, before the field is left too', async () => {
    const { user, field } = await openField({ value: 10 }, '10')
    expect(told(field)).toBe('10')
    await user.click(field)
    await user.keyboard('{ArrowUp}')
    expect([field.value, told(field)]).toEqual(['11', '11'])
    await user.clear(field)
    await user.type(field, '25')
    expect(told(field)).toBe('25')
  })
})
