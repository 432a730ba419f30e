// @module-tag rest
import { screen, within } from '@testing-library/react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import type { NamedStatement } from '../../analytics/console-api.ts'
import { FurlongError } from '../../domain/errors.ts'
import type { ConsoleRows } from '../../src/data/analytics/console-rows.ts'
import { ExtraTexts } from '../../src/i18n/extra-texts.tsx'
import { DocumentView } from '../../src/workspace/console/document-view.tsx'
import { readDocument, writeDocument, type ConsoleDocument } from '../../src/workspace/console/document.ts'
import { useRuns, type ConsoleEngine } from '../../src/workspace/console/use-console.ts'
import { renderPart } from './render.tsx'

/** A document of the console on screen: its cells, and in which order they run. */

const ROWS: ConsoleRows = {
  columns: [{ name: 'n', type: 'INTEGER', kind: 'number' }],
  rows: [['1']],
  truncated: false,
  milliseconds: 1,
}

interface Asked {
  sql: string
  named: readonly NamedStatement[]
}

/** An engine that answers every statement with one row, but for those with the word `wrong`. */
function engineOf(asked: Asked[]): ConsoleEngine {
  return {
    number: 1,
    query: async (sql, named) => {
      asked.push({ sql, named: named ?? [] })
      if (sql.includes('wrong'))
        throw new FurlongError('query-failed', {
          reason: 'Catalog Error: Table with name wrong does not exist!\n\nLine 1: FROM wrong',
        })
      return ROWS
    },
    count: async () => 1,
    explain: async (sql) => `PLAN OF ${sql}`,
    cancel: () => undefined,
  }
}

interface ScreenProps {
  first: ConsoleDocument
  asked: Asked[]
  onRan?: () => void
}

const ignore = (): void => undefined

function Document({ first, asked, onRan = ignore }: ScreenProps) {
  const [document, setDocument] = useState(first)
  const [engine] = useState(() => engineOf(asked))
  const runs = useRuns()
  return (
    <ExtraTexts part="workspace" waiting={null}>
      <ExtraTexts part="console" waiting={null}>
        <DocumentView
          tab={{ id: 1, ...document }}
          edit={(change) => setDocument(change)}
          console={engine}
          runs={runs}
          schema={{}}
          tables={['race']}
          tall={false}
          onRan={onRan}
          onActive={() => undefined}
        >
          <pre data-testid="file">{writeDocument(document)}</pre>
        </DocumentView>
      </ExtraTexts>
    </ExtraTexts>
  )
}

const FILE = `-- %% document Draw
-- %% text
-- ### By draw
--
-- - <b>low</b> wins [more](https://evil.example)
-- %% sql runs
FROM race
;
-- %% sql rates
FROM runs
;
`

const file = (): string => screen.getByTestId('file').textContent
const cells = (): HTMLElement[] => screen.getAllByTestId('console-cell')
const button = (name: string): HTMLElement => screen.getByRole('button', { name })

test('a statement of its own becomes a document, whose cells have names, move, go and come back', async () => {
  const asked: Asked[] = []
  const { user } = await renderPart(<Document first={readDocument('FROM race')} asked={asked} />)
  expect(await screen.findByRole('button', { name: 'Run' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Run all' })).toBeNull()
  await user.click(button('Add statement'))
  // The editor, which comes later, has the focus.
  const editor = await screen.findByRole('textbox', { name: 'SQL statement of q2' })
  expect(document.activeElement).toBe(editor)
  expect(file()).toBe('-- %% document \n-- %% sql q1\nFROM race\n;\n-- %% sql q2\n\n;\n')
  await user.clear(screen.getByLabelText('Name of cell 1'))
  await user.type(screen.getByLabelText('Name of cell 1'), 'all runs')
  expect(file()).toContain('-- %% sql all_runs\n')
  await user.click(button('Move cell 2 up'))
  expect(file()).toBe('-- %% document \n-- %% sql q2\n\n;\n-- %% sql all_runs\nFROM race\n;\n')
  await user.click(button('Remove cell 2'))
  expect(file()).not.toContain('all_runs')
  const undo = await screen.findByRole('button', { name: 'Put it back' })
  expect(document.activeElement).toBe(undo)
  await user.click(undo)
  expect(file()).toBe('-- %% document \n-- %% sql q2\n\n;\n-- %% sql all_runs\nFROM race\n;\n')
  expect(screen.queryByText('The cell was removed.')).toBeNull()
})

test('a name that other cells cannot use says why', async () => {
  const { user } = await renderPart(<Document first={readDocument(FILE)} asked={[]} />)
  const name = await screen.findByLabelText('Name of cell 3')
  for (const [text, message] of [
    ['race', /A table has this name/],
    ['RUNS', /Another cell has this name/],
    ['select', /begins with a letter and is not a word of SQL/],
  ] as const) {
    await user.clear(name)
    await user.type(name, text)
    expect(within(cells()[2]!).getByText(message)).toBeTruthy()
  }
})

test('all cells run in order, each with those that it reads', async () => {
  const asked: Asked[] = []
  let ran = 0
  const { user } = await renderPart(
    <Document first={readDocument(FILE)} asked={asked} onRan={() => (ran += 1)} />,
  )
  await user.click(await screen.findByRole('button', { name: 'Run all' }))
  expect(await screen.findByRole('region', { name: 'Result of rates' })).toBeTruthy()
  expect(screen.getByRole('region', { name: 'Result of runs' })).toBeTruthy()
  expect(asked).toEqual([
    { sql: 'FROM race', named: [] },
    { sql: 'FROM runs', named: [{ name: 'runs', sql: 'FROM race' }] },
  ])
  expect(ran).toBe(1)
})

test('an error ends the run and names the cell, and so does a circle', async () => {
  const asked: Asked[] = []
  const wrong = readDocument(FILE.replace('FROM race', 'FROM wrong'))
  const { user, unmount } = await renderPart(<Document first={wrong} asked={asked} />)
  await user.click(await screen.findByRole('button', { name: 'Run all' }))
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toContain('The statement of cell runs could not be run:')
  expect(alert.textContent).toContain('No table and no cell is named wrong.')
  expect(asked).toHaveLength(1)
  unmount()
  const circle = readDocument(FILE.replace('FROM race', 'FROM rates'))
  const again = await renderPart(<Document first={circle} asked={asked} />)
  await again.user.click(await screen.findByRole('button', { name: 'Run all' }))
  expect((await screen.findByRole('alert')).textContent).toContain('runs → rates → runs')
  expect(asked).toHaveLength(1)
})

test('text is shown as it is read, without what a shared document could abuse, and changed by the keyboard', async () => {
  const { user } = await renderPart(<Document first={readDocument(FILE)} asked={[]} />)
  const shown = await screen.findByRole('group', { name: 'Cell 1' })
  expect((await within(shown).findByRole('heading', { name: 'By draw' })).tagName).toBe('H2')
  const item = within(shown).getByRole('listitem')
  expect(item.textContent).toBe('<b>low</b> wins [more](https://evil.example)')
  expect(within(shown).queryByRole('link')).toBeNull()
  const read = shown.querySelector<HTMLElement>('[data-shown]')!
  read.focus()
  await user.keyboard('{Enter}')
  const area = screen.getByRole('textbox', { name: 'Text of cell 1' })
  expect(document.activeElement).toBe(area)
  await user.clear(area)
  await user.type(area, '1. One{Enter}2. Two')
  await user.keyboard('{Control>}{Enter}{/Control}')
  expect(await within(shown).findAllByRole('listitem')).toHaveLength(2)
  expect(file()).toContain('-- %% text\n-- 1. One\n-- 2. Two\n')
})
