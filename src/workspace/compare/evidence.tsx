import { useEffect, useRef, useState } from 'react'
import { numberOrNull } from '../../../analytics/cells.ts'
import { useFormat } from '../../i18n/format.ts'
import { useWord } from '../../i18n/use-word.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { lookAt, resetViewedSlices, useViewedSlices } from '../state/session-tally.ts'
import { TOTAL } from '../../../analytics/view/requests.ts'
import { judge } from '../../../analytics/view/totals.ts'
import type { SliceAnswer } from '../query/use-slice.ts'
import { FEW_BETS } from '../../../domain/statistics.ts'
import { Small } from '../../ui/layout.tsx'
import dialogs from '../parts/dialog-body.module.css'
import { BETWEEN_FACTS } from '../../i18n/between-facts.ts'

/** Counts the slices viewed: the best of many is expected to look good by chance. */
export function Evidence({ slice, address }: { slice: SliceAnswer | null; address: string }) {
  const format = useFormat()
  const word = useWord()
  const { keys, best } = useViewedSlices()
  const count = keys.length
  const [open, setOpen] = useState(false)
  const row = slice?.rows[TOTAL]?.[0]
  const returned = row && judge(row).reported ? numberOrNull(row, 'return') : null
  const bets = row ? judge(row).bets : 0
  const where = slice?.where ?? null
  const subject = slice?.slice.subject ?? 'predictions'
  // The address changes before its figures arrive: until then, the figures are those of the previous slice.
  const addressRef = useRef(address)
  useEffect(() => {
    addressRef.current = address
  })
  useEffect(() => {
    if (where === null) return
    const found = returned !== null && bets >= FEW_BETS ? { returned, bets } : null
    lookAt(JSON.stringify([subject, where]), addressRef.current, found)
  }, [subject, where, returned, bets])
  return (
    <>
      <Button onClick={() => setOpen(true)} data-testid="evidence" data-slices={count}>
        <span>
          {word('workspace.slices', { count })}
          {best ? BETWEEN_FACTS : null}
          {best ? (
            <span data-testid="best-slice">
              {word('workspace.best', { returned: format.signedPercent(best.returned) })}
            </span>
          ) : null}
        </span>
      </Button>
      <Dialog open={open} title={word('workspace.evidence')} onClose={() => setOpen(false)}>
        <div className={dialogs.body}>
          <p>{word('workspace.evidenceSummary', { count })}</p>
          {best ? (
            <p>
              {word('workspace.bestSlice', {
                returned: format.signedPercent(best.returned),
                bets: format.integer(best.bets),
              })}{' '}
              <a href={`#/pages/race/WinLossRecord?${best.address}`} onClick={() => setOpen(false)}>
                {word('workspace.showSlice')}
              </a>
            </p>
          ) : null}
          <Small>{word('workspace.evidenceAdvice', { bets: FEW_BETS })}</Small>
          <Button onClick={resetViewedSlices} text="workspace.resetCount" />
        </div>
      </Dialog>
    </>
  )
}
