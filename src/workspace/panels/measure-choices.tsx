import { useFormat } from '../../i18n/format.ts'
import { useWord } from '../../i18n/use-word.ts'
import { isTrimmed, TRIMMED, TRIMMED_NAMES } from '../../../analytics/trimmed.ts'
import { dayMeasure, isOfDays } from '../../../analytics/view/over-days.ts'
import { Button } from '../../ui/button.tsx'
import { Popover } from '../../ui/popover.tsx'
import {
  BET_MEASURES,
  FIRST_WINDOW,
  PANEL_KINDS,
  usualMeasures,
  WINDOWS,
  windowWord,
  type PanelKind,
  type PanelSpec,
  type ShownMeasure,
} from '../../../analytics/view/panel-spec.ts'
import { offeredMeasures } from '../../../analytics/view/view-query.ts'
import { ToolSelect } from '../parts/controls.tsx'
import type { SliceAnswer } from '../query/use-slice.ts'
import { useMeasureName } from '../words/measure-text.ts'
import { windowText } from '../words/window-text.ts'

export interface PartProps {
  spec: PanelSpec
  slice: SliceAnswer
  onChange(spec: PanelSpec): void
}

/** Those whose measure is one of each race day. */
export const ON_DAYS: readonly PanelKind[] = ['rolling', 'spread', 'calendar']

interface MeasureChoicesProps {
  spec: PanelSpec
  offered: readonly ShownMeasure[]
  nameOf(measure: ShownMeasure): string
  onChange(spec: PanelSpec): void
}

/** The measures after a click on one: it is the last, or no longer among them. There is always one. */
function toggled(measures: readonly ShownMeasure[], measure: ShownMeasure): readonly ShownMeasure[] {
  if (!measures.includes(measure)) return [...measures, measure]
  return measures.length === 1 ? measures : measures.filter((each) => each !== measure)
}

/** Selects what the cells of a pivot show, in the order of choosing. */
function MeasureChoices({ spec, offered, nameOf, onChange }: MeasureChoicesProps) {
  const { measures, sort } = spec
  const isFull = measures.length >= PANEL_KINDS[spec.kind].measures
  return (
    <Popover button={useWord()('workspace.figures')}>
      {[...new Set([...offered, ...measures])].map((measure) => (
        <Button
          key={measure}
          aria-pressed={measures.includes(measure)}
          disabled={isFull && !measures.includes(measure)}
          onClick={() => {
            const next = toggled(measures, measure)
            // What is no longer shown sorts nothing.
            onChange({ ...spec, measures: next, sort: sort !== null && next.includes(sort) ? sort : null })
          }}
        >
          {nameOf(measure)}
        </Button>
      ))}
    </Popover>
  )
}

/** The measures that a panel can show, and the one that it shows; none where there is no choice. */
function choicesOf(spec: PanelSpec, { slice }: SliceAnswer): [ShownMeasure[], ShownMeasure] {
  const { history } = slice
  const [usual, more] = [usualMeasures(history), offeredMeasures(slice)]
  const [measure = 'return'] = spec.measures
  if (ON_DAYS.includes(spec.kind)) return [[...usual, ...more].filter(isOfDays), dayMeasure(spec)]
  const ofBets = history ? BET_MEASURES : []
  switch (spec.kind) {
    case 'heat':
    case 'pivot':
      return [[...usual, ...more, ...ofBets], measure]
    // Bars show the usual ones anyway.
    case 'bars':
      return [history ? [...more, ...ofBets] : [], measure]
    default:
      return [[], measure]
  }
}

/** Selects what the cells, the bars or the race days of a panel show; nothing where there is no choice. */
export function Measures({ spec, slice, onChange }: PartProps) {
  const word = useWord()
  const format = useFormat()
  const nameOf = useMeasureName(slice.slice.subject)
  if (spec.kind === 'pivot') {
    const [offered] = choicesOf(spec, slice)
    return <MeasureChoices spec={spec} {...{ offered, nameOf, onChange }} />
  }
  const [choices, measure] = choicesOf(spec, slice)
  if (choices.length === 0) return null
  const isBars = spec.kind === 'bars'
  const isSorted = spec.sort === measure
  const chosen = isTrimmed(measure) ? measure : 'return_trimmed'
  const options = [...new Set([...choices, ...(isBars ? [] : [measure])])]
    // How many wins a return is without is chosen beside it.
    .filter((value) => !isTrimmed(value) || value === chosen)
    .map((value) => ({ value, label: nameOf(value) }))
  return (
    <>
      <ToolSelect
        label="workspace.measure"
        value={measure}
        // The return stands for no further one.
        options={isBars ? [{ value: 'return', label: word('workspace.addFigure') }, ...options] : options}
        onChange={(next) => onChange({ ...spec, measures: [next] })}
      />
      {isTrimmed(measure) ? (
        <ToolSelect
          label="workspace.largestWins"
          value={measure}
          options={TRIMMED_NAMES.map((value) => ({ value, label: format.integer(TRIMMED[value]) }))}
          onChange={(next) => onChange({ ...spec, measures: [next], sort: isSorted ? next : spec.sort })}
        />
      ) : null}
    </>
  )
}

/** Selects how much each point of a rolling line is over. */
export function Windows({ spec, onChange }: Omit<PartProps, 'slice'>) {
  const word = useWord()
  return (
    <ToolSelect
      label="workspace.rollingWindow"
      value={windowWord(spec.window ?? FIRST_WINDOW)}
      options={WINDOWS.map((window) => ({ value: windowWord(window), label: word(...windowText(window)) }))}
      onChange={(chosen) =>
        onChange({ ...spec, window: WINDOWS.find((each) => windowWord(each) === chosen) ?? FIRST_WINDOW })
      }
    />
  )
}
