import { useEffect, useState } from 'react'

/** Whether something has been going on for so many milliseconds. */
export function useLater(active: boolean, ms: number): boolean {
  const [late, setLate] = useState(false)
  useEffect(() => {
    if (!active) return
    const timer = setTimeout(() => setLate(true), ms)
    return () => {
      clearTimeout(timer)
      setLate(false)
    }
  }, [active, ms])
  return active && late
}
