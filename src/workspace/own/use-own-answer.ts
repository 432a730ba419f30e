import { useEffect, useState } from 'react'

type Answer<Value> = { key: string; value: Value } | { key: string; error: unknown }

/** What a question to the own data answers: the newest answer, and whether it is of another question than the present. */
export function useOwnAnswer<Value>(
  key: string,
  ask: () => Promise<Value>,
): { value: Value | null; error: unknown; stale: boolean } {
  const [answer, setAnswer] = useState<Answer<Value> | null>(null)
  useEffect(() => {
    let gone = false
    ask().then(
      (value) => {
        if (!gone) setAnswer({ key, value })
      },
      (error: unknown) => {
        if (!gone) setAnswer({ key, error })
      },
    )
    return () => {
      gone = true
    }
    // The key says what is asked.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [key])
  return {
    value: answer !== null && 'value' in answer ? answer.value : null,
    error: answer !== null && 'error' in answer ? answer.error : null,
    stale: answer !== null && answer.key !== key,
  }
}
