import { createContext, use, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { Scalar } from '../../../analytics/model.ts'
import type { IndexRequest } from '../../../analytics/panel-index.ts'
import type { Linked } from '../../../analytics/request.ts'
import { numberOf, type AnswerRow } from '../../../analytics/cells.ts'
import { answersHere } from '../../data/analytics/connector.ts'
import { openedNow } from '../../data/analytics/opened.ts'
import { decoder, engine } from '../../data/analytics/parts.ts'
import { useScope } from '../../data/analytics/use-analytics.ts'
import { SeenContext } from '../../ui/behaviour/seen-context.ts'
import { indexFor, type Slice } from '../../../analytics/view/requests.ts'
import type { SliceAnswer } from './use-slice.ts'

/** The index of a brush, built when the pointer comes near: each position is then one small statement. */
interface Index {
  active: string
  name: string
  of: string
  cells: AnswerRow[]
  /** The views that follow, by their indexes. */
  panels: readonly number[]
}

/** The views of a linked query while something is brushed. */
export interface LiveViews {
  /** The brushed dimension: its own view stays unchanged. */
  active: string
  /** Its values at the ends of the brush, both inclusive. */
  from: Scalar
  to: Scalar
  /** The query that the views belong to, as text: the result of another query replaces them. */
  of: string
  rows: AnswerRow[][]
}

/** What every view of the page is given. */
export interface ViewProps {
  slice: SliceAnswer
  brush: Brush
  model: string
}

/**
 * The views while something is brushed, apart from what views are given: at each position those that show them are drawn
 * anew, and nothing else.
 */
export const LiveContext = createContext<LiveViews | null>(null)

/** The views while something is brushed, for a view that is in sight; the others follow once they are. */
export function useLive(): LiveViews | null {
  const live = use(LiveContext)
  return use(SeenContext) ? live : null
}

export interface Brush {
  /** Builds the index of a dimension. */
  prepare(active: string): void
  /** Shows one position. */
  move(active: string, from: Scalar, to: Scalar): void
  /** The brush was released: the page's own figures follow. */
  end(): void
}

/** The views that follow a brush: neither the days, which no view shows meanwhile, nor those by the brushed dimension itself. */
const following = ({ panels }: IndexRequest, active: string): number[] =>
  panels.flatMap(({ by }, at) => (by[0] === 'day' || by.includes(active) ? [] : [at]))

async function brushIndex(request: IndexRequest, active: string, of: string): Promise<Index> {
  const [{ buildIndex }, { decodeRows }] = await Promise.all([engine.load(), decoder.load()])
  const { name, bytes, columns } = await buildIndex(request, 'interactive')
  return { active, name, of, cells: decodeRows(bytes, columns), panels: following(request, active) }
}

/** The rows of every view at one position of the brush. */
async function viewsAt({ name, cells, panels }: Index, from: Scalar, to: Scalar): Promise<AnswerRow[][]> {
  const [{ stepBrush }, { decodeRows }] = await Promise.all([engine.load(), decoder.load()])
  const { bytes, columns } = await stepBrush(name, { from, to, panels })
  const rows: AnswerRow[][] = []
  for (const row of decodeRows(bytes, columns)) {
    const cell = cells[numberOf(row, 'cell')]!
    ;(rows[numberOf(cell, 'panel')] ??= []).push({ ...cell, ...row })
  }
  return rows
}

/** The last position stays until the new slice is computed, which usually takes a tenth of this. */
const LINGER_MS = 1000

/**
 * Updates every view of `linked` while brushing. Without an engine on this device, nothing changes
 * until the brush is released.
 */
export function useBrush(
  slice: Slice,
  linked: Linked | null,
  stale: boolean,
): { brush: Brush; live: LiveViews | null } {
  const scope = useScope()
  const [moved, setMoved] = useState<LiveViews | null>(null)
  const question = useMemo(() => JSON.stringify(linked), [linked])
  // Views receive the brush as a prop, so its identity must not change.
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
    const request = indexFor(slice, linked, [active])
    const key = JSON.stringify([scope.regionId, scope.asOf, openedNow()?.model, request])
    if (indexKey.current === key) return
    indexKey.current = key
    index.current = brushIndex(request, active, question)
    // If the index cannot be built, the figures follow when the brush is released.
    index.current.catch(() => {
      if (indexKey.current === key) indexKey.current = ''
    })
  }, [])

  const step = useCallback(async (): Promise<void> => {
    while (next.current) {
      const { active, from, to } = next.current
      next.current = null
      const built = await index.current!
      // The index belongs to another view: the next position builds a new one.
      if (built.active !== active) continue
      const rows = await viewsAt(built, from, to)
      if (ended.current) return
      setMoved({ active, from, to, rows, of: built.of })
      // One position per frame.
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
    // If the brush ends where it started, nothing is requested, and the page's own figures return.
    clearTimeout(lingering.current)
    lingering.current = setTimeout(() => setMoved(null), LINGER_MS)
  }, [])
  const brush = useMemo(() => ({ prepare, move, end }), [prepare, move, end])
  return { brush, live }
}
