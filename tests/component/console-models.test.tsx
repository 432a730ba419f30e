import { screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import type { ModelId } from '../../contract/model-ids.ts'
import type { ModelFiles } from '../../src/data/analytics/model-files.ts'
import { ExtraTexts } from '../../src/i18n/extra-texts.tsx'
import { LinkedModels, ModelChoices } from '../../src/workspace/console/model-choices.tsx'
import { renderPart } from './render.tsx'

/** Which models' rows the console has, and what loading them takes. */

const MODELS: ModelFiles[] = [
  { model: 'blended', bytes: 20e6, missingBytes: 0 },
  { model: 'fundamental', bytes: 19e6, missingBytes: 12_300_000 },
  { model: 'market-baseline', bytes: 18e6, missingBytes: 0 },
]

interface ConsoleProps {
  linked?: readonly ModelId[]
  /** Models that fit in memory together. */
  most?: number
}

const NONE: readonly ModelId[] = []

function Console({ linked = NONE, most = 9 }: ConsoleProps) {
  const [chosen, setChosen] = useState<readonly ModelId[]>([])
  const given = {
    model: 'blended',
    models: MODELS,
    chosen,
    fits: (models: readonly ModelId[]) => models.length <= most,
  } as const
  return (
    <ExtraTexts part="console" waiting={null}>
      <LinkedModels {...given} linked={linked} onLoad={(models) => setChosen((now) => [...now, ...models])} />
      <ModelChoices {...given} onChange={setChosen} />
    </ExtraTexts>
  )
}

const box = (name: RegExp): HTMLInputElement => screen.getByRole('checkbox', { name })

test('the model of the page is always there, and each other says its size before it is loaded', async () => {
  const { user } = await renderPart(<Console />)
  expect((await screen.findByRole<HTMLInputElement>('checkbox', { name: /of this page/ })).checked).toBe(true)
  expect(box(/of this page/).disabled).toBe(true)
  expect(screen.getByText('1 of 3')).toBeTruthy()
  await user.click(box(/up to 12.3 MB to load/))
  expect(screen.getByText('2 of 3')).toBeTruthy()
  await user.click(box(/on this device/))
  expect(screen.getByText('3 of 3')).toBeTruthy()
  await user.click(box(/12.3 MB/))
  expect(screen.getByText('2 of 3')).toBeTruthy()
})

test('a model beyond the memory cannot be chosen, and why is said', async () => {
  const { user } = await renderPart(<Console most={2} />)
  await user.click(await screen.findByRole('checkbox', { name: /on this device/ }))
  expect(box(/12.3 MB/).disabled).toBe(true)
  expect(screen.getByText(/a model that would not fit cannot be chosen/)).toBeTruthy()
  // What is chosen can still be left out.
  expect(box(/on this device/).disabled).toBe(false)
})

test('a shared statement loads what is on the device at once, and asks before it loads more', async () => {
  const { user } = await renderPart(<Console linked={['market-baseline']} />)
  expect((await screen.findByRole<HTMLInputElement>('checkbox', { name: /on this device/ })).checked).toBe(
    true,
  )
  // Whoever leaves it out does not get it back.
  await user.click(box(/on this device/))
  expect(box(/on this device/).checked).toBe(false)
})

test('a shared statement says the size of what it needs', async () => {
  const { user } = await renderPart(<Console linked={['market-baseline', 'fundamental']} />)
  expect(await screen.findByText(/also reads the rows of .* and .*: up to 12.3 MB to load/)).toBeTruthy()
  expect(screen.getByText('1 of 3')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Load them' }))
  expect(screen.getByText('3 of 3')).toBeTruthy()
  expect(screen.queryByText(/also reads/)).toBeNull()
})

test('a shared statement whose models do not fit is not loaded', async () => {
  await renderPart(<Console linked={['market-baseline']} most={1} />)
  expect(await screen.findByText(/do not fit into the .* of memory/)).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Load them' })).toBeNull()
  expect(box(/on this device/).checked).toBe(false)
})
