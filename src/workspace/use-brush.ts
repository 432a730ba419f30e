import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { Scalar } from '../../analytics/model.ts'
import type { Linked } from '../../analytics/request.ts'
import { numberOf } from '../data/analytics/cells.ts'
import { answersHere } from '../data/analytics/connector.ts'
import type { AnswerRow } from '../data/analytics/decode.ts'
import { openedNow } from '../data/analytics/engine-state.ts'
import { decoder, engine } from '../data/analytics/parts.ts'
import { useScope } from '../data/analytics/use-analytics.ts'
import { whereFor, type Slice } from './requests.ts'

/** The index of a brush, made when the pointer comes near: each position is then one small statement. */
interface Index {
  active: string
  of: string
  cells: AnswerRow[]
}

/** The views of a linked question while something is brushed. */
export interface LiveViews {
  /** Dimension that is brushed: its own view stays as it is. */
  active: string
  /** The question whose views they are, as text: an answer to another one takes their place. */
  of: string
  rows: AnswerRow[][]
}

export interface Brush {
  live: LiveViews | null
  /** Makes the index of a dimension. */
  prepare(active: string): void
  /** Shows one position. */
  move(active: string, from: Scalar, to: Scalar): void
  /** The brush rests: the figures of the page itself are next. */
  end(): void
}

/** The last position stays until the answer of the new slice, which takes a tenth of this. */
const LINGER_MS = 1000

/** Follows a brush with every view of `linked`. Without an engine on this device nothing moves until the brush rests. */
export function useBrush(slice: Slice, linked: Linked | null, stale: boolean): Brush {
  const scope = useScope()
  const [moved, setMoved] = useState<LiveViews | null>(null)
  const question = useMemo(() => JSON.stringify(linked), [linked])
  // The views take the brush as a prop: it stays the same while only what it is about changes.
  const about = useRef({ linked, question, slice, scope, stale })
  useEffect(() => {
    about.current = { linked, question, slice, scope, stale }
  })
  const live = moved !== null && moved.of === question ? moved : null
  const index = useRef<Promise<Index> | null>(null)
  const indexKey = useRef('')
  const next = useRef<{ active: string; from: Scalar; to: Scalar } | null>(null)
  const running = useRef(false)
  const ended = useRef(true)
  const lingering = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  useEffect(() => () => clearTimeout(lingering.current), [])

  const prepare = useCallback((active: string): void => {
    const { linked, question, slice, scope, stale } = about.current
    if (!linked || stale || !answersHere(openedNow(), scope, { linked })) return
    const panels = linked.panels.map(({ by }) => ({ by, where: whereFor(slice, [...by, active]) }))
    const key = JSON.stringify([
      scope.regionId,
      scope.asOf,
      openedNow()?.model,
      active,
      panels,
      linked.measures,
    ])
    if (indexKey.current === key) return
    indexKey.current = key
    index.current = (async () => {
      const [{ indexBrush }, { decodeRows }] = await Promise.all([engine.load(), decoder.load()])
      const answer = await indexBrush({ model: 'predictions', active, panels, measures: linked.measures })
      return { active, of: question, cells: decodeRows(answer.bytes, answer.columns) }
    })()
    // An index that could not be made: the figures follow when the brush rests.
    index.current.catch(() => {
      if (indexKey.current === key) indexKey.current = ''
    })
  }, [])

  const step = useCallback(async (): Promise<void> => {
    const [{ stepBrush }, { decodeRows }] = await Promise.all([engine.load(), decoder.load()])
    while (next.current) {
      const { active, from, to } = next.current
      next.current = null
      const { cells, of, active: indexed } = await index.current!
      // The index is of another view: the next position makes one of this.
      if (indexed !== active) continue
      const answer = await stepBrush(from, to)
      if (ended.current) return
      const rows: AnswerRow[][] = []
      for (const row of decodeRows(answer.bytes, answer.columns)) {
        const cell = cells[numberOf(row, 'cell')]!
        ;(rows[numberOf(cell, 'panel')] ??= []).push({ ...cell, ...row })
      }
      setMoved({ active, rows, of })
      // One position a frame.
      await new Promise((resolve) => requestAnimationFrame(resolve))
    }
  }, [])

  const move = useCallback(
    (active: string, from: Scalar, to: Scalar): void => {
      prepare(active)
      if (!index.current || indexKey.current === '') return
      ended.current = false
      clearTimeout(lingering.current)
      next.current = { active, from, to }
      if (running.current) return
      running.current = true
      void step()
        .catch(() => {
          indexKey.current = ''
          setMoved(null)
        })
        .finally(() => (running.current = false))
    },
    [prepare, step],
  )
  const end = useCallback(() => {
    ended.current = true
    next.current = null
    // Where the brush rests where it began nothing is asked, and the figures of the page come back.
    clearTimeout(lingering.current)
    lingering.current = setTimeout(() => setMoved(null), LINGER_MS)
  }, [])
  return useMemo(() => ({ live, prepare, move, end }), [live, prepare, move, end])
}
