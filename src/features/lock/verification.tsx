import { useMutation } from '@tanstack/react-query'
import { ShieldCheck } from 'lucide-react'
import { FormattedMessage } from 'react-intl'
import { queryLockChain, type LockChain } from '../../../contract/api/model.ts'
import { call } from '../../data/client/call.ts'
import { Button } from '../../ui/button.tsx'

/** A check that the user starts. Its error is shown beside the button, not as a toast. */
export const useVerification = <Verdict,>(work: () => Promise<Verdict>) =>
  useMutation({ mutationFn: work, onError: () => undefined })

export function VerifyButton({ busy, onVerify }: { busy: boolean; onVerify(): void }) {
  return (
    <Button onClick={onVerify} busy={busy}>
      <ShieldCheck aria-hidden="true" size={16} />
      <FormattedMessage id={busy ? 'lock.verifying' : 'lock.verify'} />
    </Button>
  )
}

/**
 * The entries of a region's chain from the lowest of some numbers to the highest, and the hash that precedes the first.
 * Throws the errors of `call`.
 */
export async function fetchLockChain(
  countryRegionId: string,
  numbers: readonly number[],
): Promise<LockChain> {
  const [from, to] = [Math.min(...numbers), Math.max(...numbers)]
  const chain: LockChain = { previous: '', entries: [] }
  for (let next = from; next <= to;) {
    const page = await call(queryLockChain, { countryRegionId, fromNumber: next })
    if (page.entries.length === 0) break
    if (next === from) chain.previous = page.previous
    chain.entries.push(...page.entries.filter(({ number }) => number <= to))
    next = page.entries.at(-1)!.number + 1
  }
  return chain
}
