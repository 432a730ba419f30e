import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { Link, useSearchParams } from 'react-router-dom'
import { tallyOf, weightShift } from '../../../domain/head-to-head.ts'
import { HONG_KONG, regionOfStadium } from '../../../domain/region.ts'
import { queryHeadToHead, queryHorseInfo, type HeadToHead, type Horse } from '../../../contract/api/horse.ts'
import { queryFor } from '../../data/client/call.ts'
import { isCode } from '../../data/client/errors.ts'
import { MetRaces } from '../../features/head-to-head/met-races.tsx'
import styles from '../../features/head-to-head/head-to-head.module.css'
import { FormTable } from '../../features/horse/horse-form.tsx'
import { BETWEEN_FACTS } from '../../i18n/between-facts.ts'
import { Name } from '../../i18n/name.tsx'
import { PageTitle, Small, Stack } from '../../ui/layout.tsx'
import { NotHere } from '../../ui/not-here.tsx'
import { ErrorNotice, Hidden, Panel, Skeleton } from '../../ui/panel.tsx'
import { Silks } from '../../ui/silks.tsx'

const CompareWith = lazy(() => import('../../features/head-to-head/compare-with.tsx'))

const ONCE = { staleTime: 300_000, retry: 1 } as const

/** A horse by its id; nothing is requested for an empty one. */
function useHorse(id: string) {
  const { locale } = useIntl()
  return useQuery({ ...queryFor(queryHorseInfo, id === '' ? null : { id }, locale), ...ONCE })
}

/** Two horses by the ids in the address; with one of them, the field that finds the other. */
export function HeadToHeadScreen() {
  const [params] = useSearchParams()
  const id = params.get('id') ?? ''
  const otherId = params.get('other') ?? ''
  if (id === '' || id === otherId) return <NotHere title="headToHead.none" />
  return (
    <Stack>
      <Loaded id={id} otherId={otherId} />
    </Stack>
  )
}

function Loaded({ id, otherId }: { id: string; otherId: string }) {
  const { locale } = useIntl()
  const [horse, other] = [useHorse(id), useHorse(otherId)]
  const input = otherId === '' ? null : { horseId: id, otherId }
  const races = useQuery({ ...queryFor(queryHeadToHead, input, locale), ...ONCE })
  const queries = input === null ? [horse] : [horse, other, races]
  if (queries.some(({ error }) => isCode(error, 'not-found'))) return <NotHere title="headToHead.notFound" />
  const failed = queries.filter(({ error, data }) => error && !data)
  if (failed[0])
    return (
      <ErrorNotice
        error={failed[0].error}
        onRetry={() => {
          for (const each of failed) void each.refetch()
        }}
      />
    )
  if (!horse.data || queries.some(({ data }) => data === undefined)) return <Skeleton height={420} />
  return (
    <>
      {other.data && races.data ? (
        <Comparison horse={horse.data} other={other.data} races={races.data.races} />
      ) : (
        <PageTitle title="title.headToHead" lead="headToHead.lead" />
      )}
      <Suspense fallback={<Skeleton height={140} />}>
        <CompareWith
          key={`${id} ${otherId}`}
          horseId={id}
          name={horse.data.name}
          // A horse's id starts with its region's code, as a racecourse's does.
          regionId={(regionOfStadium(id) ?? HONG_KONG).id}
        />
      </Suspense>
    </>
  )
}

interface ComparisonProps {
  horse: Horse
  other: Horse
  races: HeadToHead['races']
}

function Comparison({ horse, other, races }: ComparisonProps) {
  const coming = races.filter((race) => race.coming)
  const ran = races.filter((race) => !race.coming)
  const names = { horse: horse.name, other: other.name }
  return (
    <>
      <PageTitle>
        <h1>
          <FormattedMessage
            id="headToHead.title"
            values={{ horse: <HorseName of={horse} />, other: <HorseName of={other} /> }}
          />
        </h1>
        <FormattedMessage id="headToHead.lead" tagName="p" />
      </PageTitle>
      <Panel title={<FormattedMessage id="headToHead.tally" />}>
        <Score horse={horse} other={other} ran={ran} />
      </Panel>
      {coming.length === 0 ? null : (
        <Panel title={<FormattedMessage id="headToHead.coming" />}>
          <Stack tight>
            <WeightShift horse={horse} other={other} coming={coming.at(-1)!} last={ran[0]} />
            <MetRaces races={coming} horse={horse} other={other} />
          </Stack>
        </Panel>
      )}
      {ran.length === 0 ? (
        [horse, other].map((each) => (
          <Panel
            key={each.id}
            title={<FormattedMessage id="headToHead.runsOf" values={{ horse: <HorseName of={each} /> }} />}
          >
            {each.form.length === 0 ? (
              <FormattedMessage id="horse.noRuns" tagName="p" />
            ) : (
              <FormTable
                form={each.form}
                first={FIRST_RUNS}
                name={{ label: 'headToHead.runsOf', horse: each.name }}
              />
            )}
          </Panel>
        ))
      ) : (
        <Panel title={<FormattedMessage id="headToHead.races" values={names} />}>
          <MetRaces races={ran} horse={horse} other={other} />
        </Panel>
      )}
    </>
  )
}

/** Runs of each horse that are shown at first where they never met. */
const FIRST_RUNS = 6

const HorseName = ({ of: { name, nameLanguage } }: { of: Horse }) => (
  <Name language={nameLanguage}>{name}</Name>
)

/** How often each finished ahead of the other, between the ways to both horses. */
function Score({ horse, other, ran }: { horse: Horse; other: Horse; ran: HeadToHead['races'] }) {
  const { first, second, level } = tallyOf(ran)
  const names = { horse: horse.name, other: other.name }
  return (
    <Stack tight>
      <div className={styles.score}>
        <HorseLink of={horse} />
        {ran.length === 0 ? (
          <span />
        ) : (
          <span className={styles.figure} aria-hidden="true" data-testid="score">
            <FormattedMessage id="headToHead.score" values={{ first, second }} />
          </span>
        )}
        <HorseLink of={other} />
      </div>
      {ran.length === 0 ? (
        <FormattedMessage id="headToHead.never" values={names} tagName="p" />
      ) : (
        <>
          <Hidden>
            <FormattedMessage id="headToHead.scoreText" values={{ ...names, first, second }} />
          </Hidden>
          <Small className={styles.count}>
            <FormattedMessage id="headToHead.ran" values={{ count: ran.length }} />
            {level === 0 ? null : (
              <>
                {BETWEEN_FACTS}
                <FormattedMessage id="headToHead.level" values={{ count: level }} />
              </>
            )}
          </Small>
        </>
      )}
    </Stack>
  )
}

const HorseLink = ({ of }: { of: Horse }) => (
  <span>
    <Link to={`/pages/race/HorseDetail?id=${encodeURIComponent(of.id)}`}>
      <Silks text={of.silks} />
      <HorseName of={of} />
    </Link>
  </span>
)

interface WeightShiftProps {
  horse: Horse
  other: Horse
  coming: HeadToHead['races'][number]
  last: HeadToHead['races'][number] | undefined
}

/** Which of the two is better off at the weights than when they last met; nothing if a weight is unknown. */
function WeightShift({ horse, other, coming, last }: WeightShiftProps) {
  if (last === undefined) return null
  const [before, otherBefore] = [last.run.actualWeightLb, last.otherRun.actualWeightLb]
  const [weight, otherWeight] = [coming.run.actualWeightLb, coming.otherRun.actualWeightLb]
  const shift = weightShift([before, otherBefore], [weight, otherWeight])
  if (shift === null) return null
  const swapped = shift < 0
  return (
    <p>
      <FormattedMessage
        id={shift === 0 ? 'headToHead.same' : 'headToHead.better'}
        values={{
          horse: (swapped ? other : horse).name,
          other: (swapped ? horse : other).name,
          pounds: Math.abs(shift),
          before: swapped ? otherBefore : before,
          otherBefore: swapped ? before : otherBefore,
          now: swapped ? otherWeight : weight,
          otherNow: swapped ? weight : otherWeight,
        }}
      />
    </p>
  )
}
