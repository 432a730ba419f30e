import { FormattedMessage, useIntl } from 'react-intl'
import type { Competitor, RaceInfo } from '../../../contract/api/racing.ts'
import type { RaceReport } from '../../../contract/api/report.ts'
import { useReport } from '../../data/use-race.ts'
import { useFormat } from '../../i18n/format.ts'
import { numberedName } from '../../i18n/names.ts'
import { ErrorNotice, Skeleton } from '../../ui/panel.tsx'
import { List, Small, Stack } from '../../ui/layout.tsx'

/** Reasons that are told. */
const TOLD = 3

interface WhyBetweenProps {
  race: RaceInfo
  one: Competitor
  two: Competitor
}

/** Why a model of ours gives one runner a better chance than another: the reasons in which they differ most. */
export function WhyBetween({ race, one, two }: WhyBetweenProps) {
  const report = useReport(race.raceId, true)
  if (report.error) return <ErrorNotice error={report.error} onRetry={() => void report.refetch()} />
  if (!report.data) return <Skeleton height={96} />
  const { explains } = report.data
  const model = explains.find((each) => each === race.headlineModel) ?? explains[0]
  if (model === undefined) return null
  const differences = differencesOf(report.data, model, [one.horseId, two.horseId])
  if (differences.length === 0) return null
  // The one with the better chance is named first.
  return totalOf(differences) < 0 ? (
    <Why
      model={model}
      one={two}
      two={one}
      differences={differences.map(({ feature, value }) => ({ feature, value: -value }))}
    />
  ) : (
    <Why model={model} one={one} two={two} differences={differences} />
  )
}

interface Difference {
  feature: string
  /** Log-odds of the one less those of the other. */
  value: number
}

const totalOf = (differences: readonly Difference[]): number =>
  differences.reduce((sum, { value }) => sum + value, 0)

/** In what two runners' reasons differ, the largest first; empty if one has none. */
function differencesOf({ runners }: RaceReport, model: string, horseIds: readonly string[]): Difference[] {
  const [one, two] = horseIds.map((horseId) => {
    const runner = runners.find((each) => each.horseId === horseId)
    const own = runner?.contributions.filter((reason) => reason.model === model) ?? []
    return new Map(own.map(({ feature, value }) => [feature, value]))
  })
  if (!one || !two || one.size === 0 || two.size === 0) return []
  return [...new Set([...one.keys(), ...two.keys()])]
    .map((feature) => ({ feature, value: (one.get(feature) ?? 0) - (two.get(feature) ?? 0) }))
    .toSorted((a, b) => Math.abs(b.value) - Math.abs(a.value))
}

interface WhyProps extends Omit<WhyBetweenProps, 'race'> {
  model: string
  differences: readonly Difference[]
}

/** Each difference of log-odds as a factor: chances are proportional to the exponentials of the runners' sums. */
function Why({ model, one, two, differences }: WhyProps) {
  const intl = useIntl()
  const format = useFormat()
  const factor = (logOdds: number): string => format.decimal(Math.exp(logOdds), 2)
  return (
    <Stack data-testid="why-between">
      <FormattedMessage
        id="headToHead.why"
        tagName="p"
        values={{
          model: intl.formatMessage({ id: `source.${model}` }),
          one: numberedName(one),
          two: numberedName(two),
          factor: factor(totalOf(differences)),
        }}
      />
      <List>
        {differences.slice(0, TOLD).map(({ feature, value }) => (
          <li key={feature}>
            <FormattedMessage
              id="headToHead.reason"
              values={{
                feature: intl.formatMessage({ id: `featureGroup.${feature}` }),
                horse: numberedName(value < 0 ? two : one),
                factor: factor(Math.abs(value)),
              }}
            />
          </li>
        ))}
      </List>
      <Small text="headToHead.reasonFactor" />
    </Stack>
  )
}
