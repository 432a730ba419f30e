import { useWord } from '../../i18n/use-word.ts'
import { Button } from '../../ui/button.tsx'
import { Popover } from '../../ui/popover.tsx'
import { PANEL_KINDS, type PanelSpec, type ShownMeasure } from '../../../analytics/view/panel-spec.ts'

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
export function MeasureChoices({ spec, offered, nameOf, onChange }: MeasureChoicesProps) {
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
