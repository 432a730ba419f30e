/** A signal aborted by the first SIGTERM or SIGINT. */
export function stopSignal(): AbortSignal {
  const stop = new AbortController()
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stop.abort())
  return stop.signal
}

/** Waits for a time in milliseconds, at most until `stop` is aborted. */
export const waitFor = (ms: number, stop: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer)
      stop.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    stop.addEventListener('abort', end)
    if (stop.aborted) end()
  })
