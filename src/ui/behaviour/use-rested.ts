import { useEffect, useState } from 'react'

/** The value once it has not changed for `ms` milliseconds; `null` until then. */
export function useRested<Value>(value: Value, ms: number): Value | null {
  const [rested, setRested] = useState<Value | null>(null)
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return rested === value ? rested : null
}
