import { useEffect, useState, type ComponentType, type ReactNode } from 'react'
import { whenQuiet } from './when-quiet.ts'

/**
 * A part in a separate chunk. Unlike one of `lazy` it is drawn as soon as it is loaded: React keeps what is shown while
 * it waits for at least 300 ms. If it cannot be loaded, the route's error boundary handles it. `load` of the answer
 * loads it before it is shown.
 */
export function loadedLater<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  waiting: ReactNode,
) {
  let known: ComponentType<Props> | undefined
  const loadPart = async (): Promise<ComponentType<Props>> => (known ??= (await load()).default)
  function LoadedLater(props: Props) {
    const [found, setFound] = useState<{ Part?: ComponentType<Props> | undefined; error?: unknown }>(() => ({
      Part: known,
    }))
    const { Part, error } = found
    useEffect(() => {
      if (Part !== undefined) return
      loadPart().then(
        (loaded) => setFound({ Part: loaded }),
        (reason: unknown) => setFound({ error: reason }),
      )
    }, [Part])
    if (error !== undefined) throw error
    return Part === undefined ? waiting : <Part {...props} />
  }
  return Object.assign(LoadedLater, { load: loadPart })
}

/** Loads parts once the reader has done nothing for a while; without a connection they are loaded when shown. */
export function useLoadedAhead(parts: readonly { load(): Promise<unknown> }[]): void {
  useEffect(() => {
    const stops = parts.map(({ load }) => whenQuiet(() => void load().catch(() => null)))
    return () => stops.forEach((stop) => stop())
  }, [parts])
}
