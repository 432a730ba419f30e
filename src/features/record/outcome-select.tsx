import { useIntl } from 'react-intl'
import { pickedValues, withValues } from '../../../analytics/clauses.ts'
import type { Filter } from '../../../analytics/filter.ts'
import { OUTCOMES } from '../../../analytics/tables.ts'
import { SelectField } from '../../ui/field.tsx'

interface OutcomeSelectProps {
  filter: Filter | null
  onPick(next: (filter: Filter | null) => Filter | null): void
}

/** The list's choice of an outcome: it is the page's, as every filter is. */
export function OutcomeSelect({ filter, onPick }: OutcomeSelectProps) {
  const intl = useIntl()
  const word = (id: string): string => intl.formatMessage({ id })
  const options = [
    { value: '', label: word('record.all') },
    ...OUTCOMES.map((outcome) => ({ value: outcome, label: word(`outcome.${outcome}`) })),
  ]
  return (
    <SelectField
      label={word('record.outcome')}
      value={String(pickedValues(filter, 'outcome')[0] ?? '')}
      options={options}
      onChange={(next) => onPick((newest) => withValues(newest, 'outcome', next === '' ? [] : [next]))}
    />
  )
}
