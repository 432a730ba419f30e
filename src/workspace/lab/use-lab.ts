import { useEffect, useMemo, useRef, useState } from 'react'
import type { Filter } from '../../../analytics/filter.ts'
import type { LabBets, LabFan, LabPlan, LabResult, LabUniverse, OwnMix } from '../../../analytics/lab-api.ts'
import { LabConnection } from '../../data/analytics/lab.ts'
import { useScope } from '../../data/analytics/use-analytics.ts'
import { storedWins } from '../../features/chances/stored-chances.ts'
import { raceFilterOf } from '../../../analytics/view/view.ts'
import type { OwnSettings } from './lab-settings.ts'

export type LabLoad =
  | { kind: 'loading'; rows: number }
  | { kind: 'ready'; lab: LabConnection; bets: LabBets }
  | { kind: 'failed'; error: unknown }

const NOTHING_YET: LabLoad = { kind: 'loading', rows: 0 }

/** Loads the bets of a slice into the lab's worker; another slice replaces them. `again` reloads them. */
export function useLab(
  universe: LabUniverse,
  where: Filter,
): { load: LabLoad; standards: boolean; again(): void } {
  const scope = useScope()
  const [attempt, setAttempt] = useState(0)
  const wantedBets = useMemo(() => ({ scope, universe, where, attempt }), [scope, universe, where, attempt])
  const [state, setState] = useState({ of: wantedBets, load: NOTHING_YET, standards: false })
  useEffect(() => {
    const lab = new LabConnection()
    const ending = new AbortController()
    const { signal } = ending
    const tell = (load: LabLoad, standards = false): void => {
      if (!signal.aborted) setState({ of: wantedBets, load, standards })
    }
    const races = raceFilterOf(wantedBets.where)
    const rows = wantedBets.universe === 'kept' ? wantedBets.where : (races ?? wantedBets.where)
    void (async () => {
      try {
        const onRows = (count: number): void => tell({ kind: 'loading', rows: count })
        const bets = await lab.load(wantedBets.scope, wantedBets.universe, rows, races, { signal, onRows })
        const ready: LabLoad = { kind: 'ready', lab, bets }
        tell(ready)
        // A box has no favourite to compare it with.
        if (wantedBets.universe === 'boxes') return
        try {
          await lab.loadStandards(wantedBets.scope, races)
          tell(ready, true)
        } catch {
          // If the benchmarks cannot be loaded, the bets are shown without them.
        }
      } catch (error) {
        tell({ kind: 'failed', error })
      }
    })()
    return () => {
      ending.abort()
      lab.end()
    }
  }, [wantedBets])
  const current = state.of === wantedBets
  return {
    load: current ? state.load : NOTHING_YET,
    standards: current && state.standards,
    again: () => setAttempt((count) => count + 1),
  }
}

/** The mixture that a run needs; `null` where the predicted probabilities are used. */
export const useOwnMix = (own: OwnSettings | null): OwnMix | null =>
  useMemo(
    () => own && { share: own.share, order: { shape: own.shape }, saved: own.saved ? storedWins() : [] },
    [own],
  )

export interface LabAnswer extends LabPlan {
  result: LabResult
  fan: LabFan | null
}

const FAN_AFTER_MS = 200

export interface LabProgress {
  done: number
  all: number
}

interface RunInput extends LabPlan {
  lab: LabConnection | null
  /** Whether the benchmarks are loaded: their figures are in the next run. */
  standards: boolean
  /** Distinguishes the reader's own columns that stakes may be by; `null` without any. */
  ownVersion: number | null
}

/** Whether an answer is of these rules, this plan, these probabilities of the user's own and this box. */
export const isOf = (answer: LabAnswer | null | undefined, { rules, plan, own, box }: LabPlan): boolean =>
  answer?.rules === rules && answer.plan === plan && answer.own === own && answer.box === box

/**
 * The result of a plan, always for the latest settings, however fast they change; the fan is computed
 * once they stay the same.
 */
export function useLabRun({ lab, rules, plan, own, box, standards, ownVersion }: RunInput): {
  answer: LabAnswer | null
  error: unknown
  /** Races whose own probabilities are derived so far, among all; `null` while none are. */
  progress: LabProgress | null
} {
  const [state, setState] = useState<{ of: LabConnection; answer: LabAnswer | null; error: unknown } | null>(
    null,
  )
  const [progress, setProgress] = useState<LabProgress | null>(null)
  const wanted = useRef<RunInput | null>(null)
  const busy = useRef(false)
  useEffect(() => {
    const of: LabPlan = { rules, plan, own, box }
    const input = { lab, ...of, standards, ownVersion }
    wanted.current = input
    if (lab === null) return undefined
    const next = async (): Promise<void> => {
      if (busy.current) return
      busy.current = true
      for (let done: RunInput | null = null; wanted.current !== done;) {
        const now: RunInput | null = wanted.current
        if (now?.lab == null) break
        done = now
        const { lab: by, standards: _standards, ownVersion: _ownVersion, ...plan } = now
        try {
          const result = await by.run(plan, (done, all) => setProgress({ done, all }))
          setState((before) => {
            const fan = before?.of === by && isOf(before.answer, plan) ? (before.answer?.fan ?? null) : null
            return { of: by, answer: { result, ...plan, fan }, error: null }
          })
        } catch (error) {
          // May be the error of a lab that was closed meanwhile: the newer one is run next.
          setState({ of: by, answer: null, error })
        }
        setProgress(null)
      }
      busy.current = false
    }
    const firstRun = next()
    const addFan = async (): Promise<void> => {
      // After the run, because a run is never interrupted, but a fan yields to every run.
      await firstRun
      if (wanted.current !== input) return
      const fan = await lab.fan(of)
      if (fan === null) return
      setState((before) =>
        before?.answer && before.of === lab && isOf(before.answer, input)
          ? { ...before, answer: { ...before.answer, fan } }
          : before,
      )
    }
    const timer = setTimeout(
      () => void addFan().catch((error: unknown) => setState({ of: lab, answer: null, error })),
      FAN_AFTER_MS,
    )
    return () => clearTimeout(timer)
  }, [lab, rules, plan, own, box, standards, ownVersion])
  const current = state !== null && state.of === lab
  return { answer: current ? state.answer : null, error: current ? state.error : null, progress }
}
