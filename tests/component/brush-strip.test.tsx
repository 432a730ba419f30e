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

test('bands of a number have a scale, of whose numbers as many are told as have room', async () => {
  const scaleOf = async (texts: readonly string[]): Promise<string[]> => {
    const { unmount } = await renderPart(
      <BrushStrip
        label="Odds"
        items={['below', ...texts].map((label) => ({ key: label, label, count: 3 }))}
        span={null}
        height={40}
        edges={texts.map((text, at) => ({ before: at + 1, text }))}
        onChange={() => undefined}
      />,
      { parts: ['workspace'] },
    )
    const ticks = [...screen.getByTestId('brush-scale').children].map((each) => each.textContent)
    unmount()
    return ticks
  }
  expect(await scaleOf(['2', '3', '4'])).toEqual(['2', '3', '4'])
  const long = ['1,000', '1,200', '1,400', '1,600', '1,800', '2,000']
  expect(await scaleOf(long)).toEqual(['1,000', '', '1,400', '', '1,800', ''])
})
