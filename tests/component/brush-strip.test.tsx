import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { BrushStrip } from '../../src/workspace/parts/brush-strip.tsx'
import { renderPart } from './render.tsx'

const strip = (labels: readonly string[]) => (
  <BrushStrip
    label="Draw"
    items={labels.map((label) => ({ key: label, label, count: 3 }))}
    span={null}
    height={40}
    onChange={() => undefined}
  />
)

test('a single value is shown with its label, and has no handles that could leave it out', async () => {
  const { container } = await renderPart(strip(['1 to 4']))
  expect([screen.getByTestId('brush').children.length, container.textContent]).toEqual([1, '1 to 4'])
  expect(screen.queryAllByRole('slider')).toEqual([])
})

test('two values have a handle at each end', async () => {
  await renderPart(strip(['1 to 4', '5 to 8']), { parts: ['workspace'] })
  expect(screen.getAllByRole('slider')).toHaveLength(2)
})
