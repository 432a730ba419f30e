import { useMutation } from '@tanstack/react-query'
import { ShieldCheck } from 'lucide-react'
import { FormattedMessage } from 'react-intl'
import { Button } from '../../ui/button.tsx'

/** A check that the user starts. Its error is shown beside the button, not as a toast. */
export const useVerification = <Verdict,>(work: () => Promise<Verdict>) =>
  useMutation({ mutationFn: work, onError: () => undefined })

export function VerifyButton({ busy, onVerify }: { busy: boolean; onVerify(): void }) {
  return (
    <Button onClick={onVerify} disabled={busy}>
      <ShieldCheck aria-hidden="true" size={16} />
      <FormattedMessage id={busy ? 'lock.verifying' : 'lock.verify'} />
    </Button>
  )
}
