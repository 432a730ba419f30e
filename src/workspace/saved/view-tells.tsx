import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { FormattedMessage } from 'react-intl'
import { WINDOWS, windowWord } from '../../../analytics/view/panel-spec.ts'
import {
  changeSavedView,
  querySavedViews,
  type SavedView,
  type Threshold,
} from '../../../contract/api/view.ts'
import { THRESHOLD_MEASURES } from '../../../contract/record-vocabulary.ts'
import { useScope } from '../../data/analytics/use-analytics.ts'
import { call, keyOf } from '../../data/client/call.ts'
import { ExtraTexts } from '../../i18n/extra-texts.tsx'
import { useWord } from '../../i18n/use-word.ts'
import { Button } from '../../ui/button.tsx'
import fieldStyles from '../../ui/fields/field.module.css'
import { NumberField } from '../../ui/fields/number-field.tsx'
import { SelectField } from '../../ui/fields/select.tsx'
import { Tick } from '../../ui/fields/text-field.tsx'
import { Row, Small, Stack, TextLink } from '../../ui/layout.tsx'
import { ErrorNotice, Skeleton } from '../../ui/panel.tsx'
import { showToast } from '../../ui/toast.tsx'
import { windowText } from '../words/window-text.ts'

interface ViewTellsProps {
  regionId: string
  view: SavedView
}

type Choice = Pick<SavedView, 'followed' | 'threshold' | 'digest'>

/** What a saved view tells its owner of: new matches, a figure past a limit, its figures from time to time. */
export default function ViewTells(props: ViewTellsProps) {
  return (
    <ExtraTexts part="alerts" waiting={<Skeleton height={260} />}>
      <Choices {...props} />
    </ExtraTexts>
  )
}

function Choices({ regionId, view }: ViewTellsProps) {
  const word = useWord()
  const client = useQueryClient()
  const { followed, threshold, digest } = view
  const [choice, setChoice] = useState<Choice>({ followed, threshold, digest })
  const saving = useMutation({
    mutationFn: () => call(changeSavedView, { id: view.id, ...choice }),
    onSuccess: async ({ changed }) => {
      if (changed) showToast(word('alerts.saved'), 'good')
      await client.invalidateQueries({ queryKey: keyOf(querySavedViews, { countryRegionId: regionId }) })
    },
  })
  const change = (part: Partial<Choice>): void => setChoice((before) => ({ ...before, ...part }))
  return (
    <Stack tight>
      <Tick value={choice.followed} onChange={(on) => change({ followed: on })}>
        <FormattedMessage id="alerts.view.matches" />
      </Tick>
      <SelectField
        label={<FormattedMessage id="alerts.view.digest" />}
        value={choice.digest ?? ''}
        options={[
          { value: '', label: word('alerts.never') },
          ...DIGESTS.map((value) => ({ value, label: word(`alerts.view.digest.${value}`) })),
        ]}
        onChange={(value) => change({ digest: DIGESTS.find((each) => each === value) ?? null })}
      />
      <ThresholdFields threshold={choice.threshold} onChange={(next) => change({ threshold: next })} />
      {saving.error ? <ErrorNotice error={saving.error} /> : null}
      {saving.data?.changed === false ? <Small role="alert" text="alerts.view.gone" /> : null}
      <Row>
        <Button primary busy={saving.isPending} onClick={() => saving.mutate()} text="alerts.save" />
        <TextLink to="/pages/user/alertSettings" text="alerts.view.where" />
      </Row>
    </Stack>
  )
}

const DIGESTS = ['weekly', 'meeting'] as const
const SIDES = ['below', 'above'] as const

/** The limit that is offered first, and the limits of it: fractions of 1 but for the ratio of A/E. */
const LIMITS: Readonly<Record<Threshold['measure'], { first: number; min: number; max: number }>> = {
  return: { first: -0.2, min: -1, max: 10 },
  hit_rate: { first: 0.1, min: 0, max: 1 },
  ae_market: { first: 1, min: 0, max: 10 },
}

/** Of the windows that a rolling line can have, the one that readers think in. */
const FIRST_WINDOW = { length: 100, unit: 'bets' } as const

const firstThreshold = (measure: Threshold['measure']): Threshold => ({
  measure,
  ...FIRST_WINDOW,
  side: 'below',
  value: LIMITS[measure].first,
})

interface ThresholdFieldsProps {
  threshold: Threshold | null
  onChange(next: Threshold | null): void
}

function ThresholdFields({ threshold, onChange }: ThresholdFieldsProps) {
  const word = useWord()
  const { history } = useScope()
  const measures = THRESHOLD_MEASURES.filter((measure) => history || measure !== 'ae_market')
  return (
    <>
      <SelectField
        label={<FormattedMessage id="alerts.view.threshold" />}
        value={threshold?.measure ?? ''}
        options={[
          { value: '', label: word('alerts.never') },
          ...measures.map((value) => ({ value, label: word(`alerts.view.figure.${value}`) })),
        ]}
        onChange={(value) => {
          const measure = measures.find((each) => each === value)
          onChange(measure === undefined ? null : firstThreshold(measure))
        }}
      />
      {threshold === null ? null : <LimitFields threshold={threshold} onChange={onChange} />}
    </>
  )
}

function LimitFields({ threshold, onChange }: ThresholdFieldsProps & { threshold: Threshold }) {
  const word = useWord()
  const id = useId()
  const { measure, length, unit, side, value } = threshold
  const { min, max } = LIMITS[measure]
  // Percentages are typed as such; a product of fractions would show its rounding error.
  const scale = measure === 'ae_market' ? 1 : 100
  const shown = Math.round(value * scale * 100) / 100
  const own = { length, unit }
  const windows = WINDOWS.some((each) => windowWord(each) === windowWord(own)) ? WINDOWS : [own, ...WINDOWS]
  return (
    <>
      <SelectField
        label={<FormattedMessage id="alerts.view.side" />}
        value={side}
        options={SIDES.map((each) => ({ value: each, label: word(`alerts.view.side.${each}`) }))}
        onChange={(next) => onChange({ ...threshold, side: next === 'above' ? 'above' : 'below' })}
      />
      <div className={fieldStyles.field}>
        <label htmlFor={id}>
          <FormattedMessage id={scale === 1 ? 'alerts.view.limit' : 'alerts.view.limitPercent'} />
        </label>
        <NumberField
          id={id}
          className={fieldStyles.control}
          value={shown}
          min={min * scale}
          max={max * scale}
          onChange={(next) => onChange({ ...threshold, value: (next ?? 0) / scale })}
        />
      </div>
      <SelectField
        label={<FormattedMessage id="alerts.view.window" />}
        value={windowWord(own)}
        options={windows.map((each) => ({ value: windowWord(each), label: word(...windowText(each)) }))}
        onChange={(next) =>
          onChange({ ...threshold, ...(windows.find((each) => windowWord(each) === next) ?? own) })
        }
      />
    </>
  )
}
