import { useMemo, useState } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { DRAW_GROUPS, drawGroup, recordBy } from '../../../domain/horse-record.ts'
import type { Horse } from '../../../contract/api/horse.ts'
import { useFormat } from '../../i18n/format.ts'
import { useRaceWords } from '../../i18n/race-words.ts'
import { OneOf } from '../../ui/fields/choices.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Stack } from '../../ui/layout.tsx'

type Run = Horse['form'][number]

const CONDITIONS = {
  racecourse: 'record.stadium',
  distance: 'race.distance',
  going: 'race.going',
  draw: 'race.draw',
  jockey: 'race.jockey',
} as const
type Condition = keyof typeof CONDITIONS

/** How the horse finished by racecourse, distance, going, draw, or jockey. */
export function HorseRecordBy({ form }: { form: readonly Run[] }) {
  const intl = useIntl()
  const format = useFormat()
  const words = useRaceWords()
  const [by, setBy] = useState<Condition>('racecourse')
  const lines = useMemo(() => {
    const conditionValue: Readonly<Record<Condition, (run: Run) => string | number | null>> = {
      racecourse: ({ stadiumName }) => stadiumName,
      distance: ({ distanceM }) => distanceM,
      going: ({ going }) => going,
      draw: ({ draw }) => drawGroup(draw),
      jockey: ({ jockeyName }) => jockeyName,
    }
    const found = recordBy(form, conditionValue[by])
    // Distances and draws are sorted by value.
    return by === 'distance' || by === 'draw'
      ? found.toSorted((a, b) => Number(a.key) - Number(b.key))
      : found
  }, [form, by])
  const labelOf = (key: string | number): string => {
    if (by === 'distance')
      return intl.formatMessage({ id: 'record.metres' }, { metres: format.integer(Number(key)) })
    if (by === 'going') return words.going(String(key)) ?? String(key)
    if (by !== 'draw') return String(key)
    const [first, last] = DRAW_GROUPS[Number(key)]!
    return last === null
      ? intl.formatMessage({ id: 'horse.drawFrom' }, { first })
      : intl.formatMessage({ id: 'horse.drawGroup' }, { first, last })
  }
  return (
    <Stack>
      <OneOf
        legend={<FormattedMessage id="horse.recordBy" />}
        value={by}
        choices={Object.entries(CONDITIONS).map(([value, id]) => ({
          value,
          label: <FormattedMessage id={id} />,
        }))}
        onChange={(value) => setBy(value as Condition)}
      />
      {lines.length === 0 ? (
        <FormattedMessage id="horse.noRuns" tagName="p" />
      ) : (
        <DataTable
          label="horse.recordBy"
          data-testid="horse-record-by"
          rows={lines}
          keyOf={({ key }) => key}
          columns={[
            { id: CONDITIONS[by], render: ({ key }) => labelOf(key), kind: 'name' },
            { id: 'horse.starts', render: ({ starts }) => format.integer(starts) },
            { id: 'horse.first', render: ({ first }) => format.integer(first) },
            { id: 'horse.second', render: ({ second }) => format.integer(second) },
            { id: 'horse.third', render: ({ third }) => format.integer(third) },
            { id: 'horse.winRate', render: ({ winRate }) => format.percent(winRate) },
            { id: 'horse.topThreeRate', render: ({ topThreeRate }) => format.percent(topThreeRate) },
          ]}
        />
      )}
    </Stack>
  )
}
