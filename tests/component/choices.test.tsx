import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { OneOfMany } from '../../src/ui/fields/choices.tsx'
import { renderPart } from './render.tsx'

const courses = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ value: `${at}`, label: `Course ${at}` }))

test.each([
  [3, 'radio', 0],
  [90, 'option', 1],
] as const)('%i choices are shown as each %s', async (count, role, lists) => {
  await renderPart(
    <OneOfMany legend="Racecourse" value="0" choices={courses(count)} onChange={() => undefined} />,
  )
  expect(screen.getAllByRole(role)).toHaveLength(count)
  expect(screen.queryAllByRole('combobox', { name: 'Racecourse' })).toHaveLength(lists)
})
