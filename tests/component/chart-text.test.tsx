import { expect, test } from 'vitest'
import { figureOf } from '../../src/widgets/chart/figure.ts'
import { standIn } from './browser-stand-ins.ts'

standIn()

/** A link in a value of somebody's statement, as the chart library would draw it. */
const LINK = '<a href="https://evil.example/login">Session expired: sign in</a>'

test('texts of data are shown as they are, wherever a chart has them', () => {
  const figure = figureOf({
    series: [
      {
        kind: 'bars',
        name: LINK,
        tone: 'accent',
        x: [LINK, 'A & B', 3],
        y: [1, 2, 3],
        hover: [`${LINK}\n1`, 'a < b', '&lt;b&gt;'],
      },
    ],
    x: { title: LINK, category: true, ticks: { at: [LINK, 3], text: [LINK, '<b>3</b>'] } },
    y: { title: '<i>y</i>' },
    height: 100,
  })
  const shown = JSON.stringify(figure)
  expect(shown).not.toMatch(/<(?!br>|extra>|\/extra>)/)
  const [trace] = figure.data as [{ x: unknown[]; text: string[] }]
  // Ticks stand at the categories' own names.
  const { tickvals } = figure.layout.xaxis as { tickvals: unknown[] }
  expect(tickvals).toEqual([trace.x[0], 3])
  expect(trace.x[1]).toBe('A &amp; B')
  expect(trace.text[0]).toMatch(/^&lt;a .*<br>1$/)
  expect(trace.text[2]).toBe('&amp;lt;b&amp;gt;')
})
