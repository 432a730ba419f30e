import { useEffect, useState, type ReactNode } from 'react'
import { useIntl } from 'react-intl'
import { timeLeft } from '../../../domain/time-left.ts'

const SECOND_MS = 1000
const MINUTE_S = 60
const HOUR_S = 60 * MINUTE_S

/** The time to a start: within the last hour with seconds, `6′12″`. After it, or without a start, `otherwise`. */
export function TimeLeft({ start, otherwise = null }: { start: string | null; otherwise?: ReactNode }) {
  const intl = useIntl()
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), SECOND_MS)
    return () => clearInterval(timer)
  }, [])
  const seconds = start === null ? 0 : Math.ceil((Date.parse(start) - now) / SECOND_MS)
  if (seconds <= 0) return otherwise
  if (seconds >= HOUR_S)
    return intl.formatMessage({ id: 'home.startsIn' }, { ...timeLeft(Math.ceil(seconds / MINUTE_S)) })
  return `${Math.floor(seconds / MINUTE_S)}′${String(seconds % MINUTE_S).padStart(2, '0')}″`
}
