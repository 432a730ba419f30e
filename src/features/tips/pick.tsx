import { Check } from 'lucide-react'
import { FormattedMessage, useIntl } from 'react-intl'
import type { Tip } from '../../../contract/api/racing.ts'
import { rankOf } from '../../../domain/horse-hit.ts'
import { useFormat } from '../../i18n/format.ts'
import { Name } from '../../i18n/name.tsx'
import { FollowedMark } from '../../widgets/follow/follow.tsx'
import { NumberCloth } from '../../ui/number-cloth.tsx'
import texts from '../../ui/text.module.css'
import styles from './pick.module.css'

type TipHorse = Tip['topCompetitors'][number]

/** From which difference to the market's chance on a horse is marked. */
const MARKED_EDGE = 0.03
const POINTS = 100

interface ClothProps {
  /** `null`: hidden. */
  horse: TipHorse | null
  /** Whether it is the first choice. */
  first?: boolean
  small?: boolean
}

/** The number cloth of a choice; a hidden one is a question mark. */
export function Cloth({ horse, first = false, small = false }: ClothProps) {
  const intl = useIntl()
  const number = horse?.horseNumber ?? null
  return (
    <NumberCloth
      value={number}
      small={small}
      tone={first && number !== null ? 'first' : 'plain'}
      label={
        number === null
          ? intl.formatMessage({ id: 'tips.secret' })
          : intl.formatMessage({ id: 'tips.number' }, { number })
      }
    />
  )
}

/** The name of a choice, marked if the user follows the horse. */
export const HorseName = ({ horse }: { horse: TipHorse }) => (
  <span className={styles.name} title={horse.name ?? undefined}>
    <Name language={horse.nameLanguage}>{horse.name}</Name>
    <FollowedMark horseId={horse.horseId} />
  </span>
)

/** The chance of a choice, its odds and its edge over the market; after the race, its place instead of the odds. */
export function PickFigures({ horse, final }: { horse: TipHorse; final: boolean }) {
  const format = useFormat()
  return (
    <span className={styles.figures}>
      {horse.probability === null ? null : <strong>{format.percent(horse.probability)}</strong>}
      {final ? (
        <Finish result={horse.result} />
      ) : (
        <>
          {horse.odds === null ? null : <span className={styles.odds}>{format.odds(horse.odds)}</span>}
          <Edge edge={horse.edge} />
        </>
      )}
    </span>
  )
}

function Edge({ edge }: { edge: number | null }) {
  const intl = useIntl()
  const format = useFormat()
  if (edge === null || edge < MARKED_EDGE) return null
  const points = format.signedDecimal(edge * POINTS, 1)
  return (
    <span className={styles.edge} role="img" aria-label={intl.formatMessage({ id: 'tips.edge' }, { points })}>
      <FormattedMessage id="tips.edgeMark" values={{ points }} />
    </span>
  )
}

/** Where a choice finished: its place, or why it has none. */
function Finish({ result }: { result: string }) {
  const place = rankOf(result)
  if (place === null) return <span className={styles.odds}>{result}</span>
  return (
    <span className={place === 1 ? `${styles.won} ${texts.gain}` : styles.odds}>
      {place === 1 ? <Check aria-hidden="true" size={14} strokeWidth={3} /> : null}
      <FormattedMessage id="race.place" values={{ rank: place }} />
    </span>
  )
}
