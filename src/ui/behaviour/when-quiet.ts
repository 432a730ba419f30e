/** After the reader's last gesture, and after the page has been opened. */
const QUIET_MS = 2500
/** Between two pieces of work: a gesture meanwhile waits for one of them at most. */
const BETWEEN_MS = 120

const GESTURES = ['pointerdown', 'keydown', 'click'] as const

const waiting = new Set<() => void>()
let timer: ReturnType<typeof setTimeout> | undefined

function runNext(): void {
  const [next] = waiting
  if (next === undefined) return
  waiting.delete(next)
  next()
  if (waiting.size > 0) timer = setTimeout(runNext, BETWEEN_MS)
  else stop()
}

function restart(): void {
  clearTimeout(timer)
  timer = setTimeout(runNext, QUIET_MS)
}

function stop(): void {
  clearTimeout(timer)
  for (const gesture of GESTURES) removeEventListener(gesture, restart, { capture: true })
}

/**
 * Calls `run` once when the reader has done nothing for a while, one such call after another, so that no gesture waits for
 * work that nobody sees. Returns what takes it back.
 */
export function whenQuiet(run: () => void): () => void {
  if (waiting.size === 0) {
    for (const gesture of GESTURES) addEventListener(gesture, restart, { capture: true, passive: true })
    restart()
  }
  waiting.add(run)
  return () => {
    if (waiting.delete(run) && waiting.size === 0) stop()
  }
}
