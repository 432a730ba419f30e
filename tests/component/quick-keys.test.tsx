import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { MonthStrip } from '../../src/features/results/meeting.tsx'
import { Tabbed } from '../../src/ui/tabbed.tsx'
import { renderPart } from './render.tsx'

/** Keys that are pressed before the page shows what the one before them selected: none is lost. */

test('each arrow key moves to the tab after the one that has the focus', async () => {
  const chosen: string[] = []
  const tabs = ['one', 'two', 'three'].map((id) => ({ id, label: id }))
  const { user } = await renderPart(
    <Tabbed label="Numbers" tabs={tabs} selected="one" onSelect={(id) => chosen.push(id)} look="underlined">
      Content
    </Tabbed>,
  )
  screen.getByRole('tab', { name: 'one' }).focus()
  await user.keyboard('{ArrowRight}{ArrowRight}{ArrowRight}{ArrowLeft}')
  expect(chosen).toEqual(['two', 'three', 'one', 'three'])
  expect(document.activeElement).toBe(screen.getByRole('tab', { name: 'three' }))
})

test('each arrow key moves to the month beside the one that has the focus', async () => {
  const chosen: string[] = []
  const months = ['2026-11', '2026-10', '2026-09']
  const { user } = await renderPart(
    <MonthStrip months={months} value="2026-11" onChange={(month) => chosen.push(month)} />,
    { parts: ['results'] },
  )
  screen.getAllByRole('button')[0]!.focus()
  await user.keyboard('{ArrowRight}{ArrowRight}{ArrowRight}{ArrowLeft}')
  expect(chosen).toEqual(['2026-10', '2026-09', '2026-10'])
})
