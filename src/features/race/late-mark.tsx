import { useQueryClient } from '@tanstack/react-query'
import { Timer } from 'lucide-react'
import { useEffect } from 'react'
import { useIntl } from 'react-intl'
import { lateMovement } from '../../../domain/market-board.ts'
import { LATE_MIN, moveOf, type Move } from '../../../domain/odds-replay.ts'
import { queryRaceCompetitor, type Competitor, type RaceInfo } from '../../../contract/api/racing.ts'
import { askAgain, keyOf } from '../../data/client/call.ts'
import { useMinute } from '../../data/use-now.ts'
import { ExtraTexts } from '../../i18n/extra-texts.tsx'
import { useFormat } from '../../i18n/format.ts'
import texts from '../../ui/text.module.css'
import styles from './runner-marks.module.css'

/** Marks a runner whose odds moved much since ten minutes before the start. */
export function LateMark({ runner }: { runner: Competitor }) {
  const move = runner.status === 'withdrawn' ? null : moveOf(lateMovement(runner))
  if (move === null) return null
  return (
    <ExtraTexts part="race" waiting={null}>
      <Mark move={move} from={runner.tenMinuteOdds!} />
    </ExtraTexts>
  )
}

function Mark({ move, from }: { move: Move; from: number }) {
  const intl = useIntl()
  const format = useFormat()
  const words = intl.formatMessage({ id: `race.late.${move}` }, { from: format.odds(from) })
  return (
    <span role="img" aria-label={words} title={words} data-late={move}>
      <Timer
        aria-hidden="true"
        size={14}
        className={`${styles.late} ${move === 'steamer' ? texts.gain : texts.loss}`}
      />
    </span>
  )
}

/** The clocks of the server and the device may differ by this much. */
const CLOCKS_MS = 60_000

/**
 * Asks again for the runners of a coming race, once, when the odds of ten minutes before its start are known: new odds
 * reach a page without them.
 */
export function useTenMinuteOdds(race: RaceInfo, runners: readonly Competitor[]): void {
  const client = useQueryClient()
  const now = useMinute()
  const { raceId, competitionDate: start } = race
  const isKnown =
    race.status === 'scheduled' &&
    start !== null &&
    now >= Date.parse(start) - LATE_MIN * 60_000 + CLOCKS_MS &&
    runners.some(({ openingOdds }) => openingOdds !== null)
  const isMissing = runners.every(({ tenMinuteOdds }) => tenMinuteOdds === null)
  useEffect(() => {
    if (isKnown && isMissing) void askAgain(client, keyOf(queryRaceCompetitor, { raceId }))
  }, [client, raceId, isKnown, isMissing])
}
