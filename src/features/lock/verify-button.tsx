import { ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { FormattedMessage } from 'react-intl'
import { Button } from '../../ui/button.tsx'

export type Check<Verdict> =
  | { kind: 'idle' }
  | { kind: 'working' }
  | { kind: 'failed'; error: unknown }
  | { kind: 'done'; verdict: Verdict }

/** A check that the user starts: its state, and the function that starts it. */
export function useCheck<Verdict>(work: () => Promise<Verdict>): [Check<Verdict>, () => void] {
  const [check, setCheck] = useState<Check<Verdict>>({ kind: 'idle' })
  const begin = async (): Promise<void> => {
    setCheck({ kind: 'working' })
    try {
      setCheck({ kind: 'done', verdict: await work() })
    } catch (error) {
      setCheck({ kind: 'failed', error })
    }
  }
  return [check, () => void begin()]
}

export function VerifyButton({ check, onVerify }: { check: Check<unknown>; onVerify(): void }) {
  return (
    <Button onClick={onVerify} disabled={check.kind === 'working'}>
      <ShieldCheck aria-hidden="true" size={16} />
      <FormattedMessage id={check.kind === 'working' ? 'lock.verifying' : 'lock.verify'} />
    </Button>
  )
}
