import { useEffect, useState } from 'react'

/** Duration of a replay, whatever the number of moments. */
const REPLAY_MS = 10_000
const STEP_MS = 100

interface Replay {
  /** Index of the shown moment. */
  position: number
  /** Index of the last moment. */
  end: number
  playing: boolean
  /** Plays on from the shown moment, or from the first if the last is shown; or pauses. */
  toggle(): void
  /** Shows a moment and pauses. */
  show(position: number): void
  /** Shows the last moment, also when more follow, and pauses. */
  showEnd(): void
}

/** The shown one of `count` moments, which can be played one after another. At first it is the last. */
export function useReplay(count: number): Replay {
  /** Index of the shown moment; `null` for the last. */
  const [moment, setMoment] = useState<number | null>(null)
  const [playing, setPlaying] = useState(false)
  const end = Math.max(count - 1, 0)
  const position = Math.min(moment ?? end, end)
  useEffect(() => {
    if (!playing) return
    const step = Math.max(1, Math.ceil((end * STEP_MS) / REPLAY_MS))
    const timer = setInterval(() => {
      setMoment((before) => {
        const next = (before ?? 0) + step
        if (next >= end) setPlaying(false)
        return next >= end ? null : next
      })
    }, STEP_MS)
    return () => clearInterval(timer)
  }, [playing, end])
  const stopAt = (shown: number | null): void => {
    setPlaying(false)
    setMoment(shown)
  }
  return {
    position,
    end,
    playing,
    toggle: () => {
      if (!playing && position === end) setMoment(0)
      setPlaying(!playing)
    },
    show: (shown) => stopAt(shown >= end ? null : shown),
    showEnd: () => stopAt(null),
  }
}
