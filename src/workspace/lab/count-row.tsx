import type { BetRules } from '../../../domain/bet-table.ts'
import { useFormat } from '../../i18n/format.ts'
import { useWord } from '../../i18n/use-word.ts'
import { withRules, type LabSettings } from './lab-settings.ts'
import { ChoiceRow } from './range-row.tsx'

interface CountRowProps {
  settings: LabSettings
  /** Message id of its name. */
  label: string
  field: keyof BetRules & ('maxRank' | 'perRace' | 'perMeeting')
  offered: readonly number[]
  onCommit(next: LabSettings): void
}

/** At most how many bets are made, or any number. */
export function CountRow({ settings, label, field, offered, onCommit }: CountRowProps) {
  const word = useWord()
  const format = useFormat()
  return (
    <ChoiceRow
      label={label}
      value={String(settings.rules[field] ?? '')}
      options={[
        { value: '', label: word('lab.any') },
        ...offered.map((each) => ({ value: String(each), label: format.integer(each) })),
      ]}
      onChange={(value) => onCommit(withRules(settings, { [field]: value === '' ? null : Number(value) }))}
    />
  )
}
