import { useSearchParams } from 'react-router-dom'

/**
 * Sets one parameter of the address in place of the current entry of the history; `state` is what the entry carries.
 * Synchronously: the router would otherwise render in a transition, and until it ends a control whose value is in the
 * address would show the former choice.
 */
export function useSetParam(): (name: string, value: string, state?: unknown) => void {
  const [, setParams] = useSearchParams()
  return (name, value, state) =>
    setParams(
      (before) => {
        before.set(name, value)
        return before
      },
      { replace: true, flushSync: true, state },
    )
}
