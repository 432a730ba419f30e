import { Columns3 } from 'lucide-react'
import { useMemo, useState } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { useNavigate } from 'react-router-dom'
import type { Filter } from '../../../analytics/filter.ts'
import { PREDICTIONS } from '../../../analytics/predictions.ts'
import { fansOut } from '../../../analytics/source.ts'
import { numberOf } from '../../data/analytics/cells.ts'
import { useScope } from '../../data/analytics/use-analytics.ts'
import { useOpenRace } from '../../features/subscription/use-open-race.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { InView } from '../../ui/behaviour/in-view.tsx'
import { useWide } from '../../ui/behaviour/use-wide.ts'
import { ColumnChooser } from './column-chooser.tsx'
import { ExportMenu } from './export-menu.tsx'
import { withoutClosed } from './list-columns.tsx'
import { PredictionsCards } from './predictions-cards.tsx'
import { HEIGHT, PredictionsGrid } from './predictions-grid.tsx'
import { TOTAL } from '../query/requests.ts'
import type { SliceAnswer } from '../query/use-slice.ts'
import type { ChangeView } from '../state/use-view.ts'
import { GROUPS, type WorkspaceView } from '../state/view.ts'
import { Small } from '../../ui/layout.tsx'
import controls from '../parts/controls.module.css'
import panelStyles from '../parts/panel.module.css'

interface PredictionsListProps {
  view: WorkspaceView
  where: Filter
  /** The latest result, which may be for the previous slice. */
  slice: SliceAnswer
  model: string
  /** Steps through the races of the list. */
  stepRef: { current: ((by: 1 | -1) => void) | null }
  onChange: ChangeView
}

/** Every prediction of the slice; without access to the history, those of the last seven days. */
export function PredictionsList({ view, where, slice, model, stepRef, onChange }: PredictionsListProps) {
  const { history, member } = useScope()
  const wide = useWide()
  const navigate = useNavigate()
  const { open, dialog } = useOpenRace('pr')
  const [choosing, setChoosing] = useState(false)
  const { own } = slice.slice
  const columns = useMemo(() => withoutClosed(view.columns, own), [view.columns, own])
  const list = {
    where,
    model,
    totals: history ? (slice.rows[TOTAL]?.[0] ?? null) : null,
    columns,
    sort: view.sort,
    group: history ? view.group : null,
    race: view.race,
    stepRef,
    onSort: (sort: WorkspaceView['sort']) => onChange((newest) => ({ ...newest, sort })),
    onOpen: (raceId: string) =>
      history ? void navigate(`/pages/race/HorseRace?id=${raceId}`) : open(raceId),
    onInspect: (race: string) => onChange((newest) => ({ ...newest, race })),
  }
  return (
    <section className={panelStyles.panel} aria-labelledby="predictions-heading">
      <div className={panelStyles.head}>
        <h2 id="predictions-heading">
          <FormattedMessage id="record.list" />
        </h2>
        <div className={panelStyles.tools}>
          {wide && history ? (
            <>
              <GroupSelect
                group={view.group}
                onChange={(group) => onChange((newest) => ({ ...newest, group }))}
              />
              <Button onClick={() => setChoosing(true)}>
                <Columns3 aria-hidden="true" size={16} />
                <FormattedMessage id="workspace.columns" />
              </Button>
            </>
          ) : null}
          <ExportMenu
            where={where}
            sort={[...view.sort]}
            columns={columns}
            total={
              list.totals && !fansOut(PREDICTIONS, [], where) ? numberOf(list.totals, 'predictions') : null
            }
          />
        </div>
      </div>
      {history ? null : (
        <Small>
          <FormattedMessage id={member === null ? 'record.recentOnly' : 'record.own'} />
        </Small>
      )}
      {wide ? (
        <InView height={HEIGHT}>
          <PredictionsGrid {...list} />
        </InView>
      ) : (
        <PredictionsCards {...list} />
      )}
      {dialog}
      <Dialog
        open={choosing}
        title={<FormattedMessage id="workspace.columns" />}
        onClose={() => setChoosing(false)}
      >
        <ColumnChooser
          columns={view.columns}
          own={own}
          onChange={(columns) => onChange((newest) => ({ ...newest, columns }))}
        />
      </Dialog>
    </section>
  )
}

/** Dimensions that every row of the list has the same value of, or too many values. */
const NOT_GROUPED = ['region', 'model', 'origin', 'odds', 'value']

/** Selects the dimension by which the list is grouped. */
function GroupSelect({ group, onChange }: { group: string | null; onChange(group: string | null): void }) {
  const intl = useIntl()
  return (
    <select
      className={controls.select}
      aria-label={intl.formatMessage({ id: 'workspace.groupBy' })}
      value={group ?? ''}
      onChange={(event) => onChange(event.target.value === '' ? null : event.target.value)}
    >
      <option value="">{intl.formatMessage({ id: 'workspace.noGroups' })}</option>
      {GROUPS.filter((dim) => !NOT_GROUPED.includes(dim)).map((dim) => (
        <option key={dim} value={dim}>
          {intl.formatMessage({ id: `dimension.${dim}` })}
        </option>
      ))}
    </select>
  )
}
