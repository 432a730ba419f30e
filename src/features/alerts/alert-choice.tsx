import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { queryAlertSettings, saveAlertSettings, type AlertSettings } from '../../../contract/api/alert.ts'
import {
  ALERT_CHANNELS,
  ALERT_KINDS,
  type AlertChannel,
  type AlertKind,
} from '../../../contract/alert-kinds.ts'
import { LANGUAGE_RULES, type Language } from '../../../domain/languages.ts'
import { call, keyOf } from '../../data/client/call.ts'
import { useFormat } from '../../i18n/format.ts'
import { Button } from '../../ui/button.tsx'
import fieldStyles from '../../ui/fields/field.module.css'
import { NumberField } from '../../ui/fields/number-field.tsx'
import { SelectField } from '../../ui/fields/select.tsx'
import { TextField, Tick } from '../../ui/fields/text-field.tsx'
import { Row, ScrollRegion, Stack, Table, TextCell } from '../../ui/layout.tsx'
import { ErrorNotice, Panel } from '../../ui/panel.tsx'
import { showToast } from '../../ui/toast.tsx'
import texts from '../../ui/text.module.css'
import styles from './alert-choice.module.css'

type Choice = Pick<AlertSettings, 'language' | 'kinds' | 'quiet' | 'pricePercent' | 'priceBelow'>
interface PartProps {
  choice: Choice
  onChange(change: Partial<Choice>): void
}

const NIGHT = { from: 22 * 60, to: 7 * 60 }
const PERCENTAGES = [10, 15, 20, 30, 50]

/** What is told on which channel, from which move of a price on, and when it is quiet. */
export function AlertChoice({ settings }: { settings: AlertSettings }) {
  const intl = useIntl()
  const client = useQueryClient()
  const { language, kinds, quiet, pricePercent, priceBelow } = settings
  const [choice, setChoice] = useState<Choice>({ language, kinds, quiet, pricePercent, priceBelow })
  const saving = useMutation({
    mutationFn: () => call(saveAlertSettings, choice),
    onSuccess: async () => {
      showToast(intl.formatMessage({ id: 'alerts.saved' }), 'good')
      await client.invalidateQueries({ queryKey: keyOf(queryAlertSettings) })
    },
  })
  const onChange = (change: Partial<Choice>): void => setChoice((before) => ({ ...before, ...change }))
  const channels = ALERT_CHANNELS.filter((channel) => channel !== 'email' || settings.emailOffered)
  return (
    <>
      <Panel title={<FormattedMessage id="alerts.what" />}>
        <Stack>
          <Kinds choice={choice} onChange={onChange} channels={channels} />
          <Prices choice={choice} onChange={onChange} />
        </Stack>
      </Panel>
      <Panel title={<FormattedMessage id="alerts.when" />}>
        <Stack>
          <Quiet choice={choice} onChange={onChange} />
          <SelectField
            label={<FormattedMessage id="alerts.language" />}
            value={choice.language}
            options={LANGUAGE_RULES.map(({ id, name }) => ({ value: id, label: name }))}
            onChange={(value) => onChange({ language: value as Language })}
          />
        </Stack>
      </Panel>
      {saving.error ? <ErrorNotice error={saving.error} /> : null}
      <Row>
        <Button primary busy={saving.isPending} onClick={() => saving.mutate()} text="alerts.save" />
      </Row>
    </>
  )
}

function Kinds({ choice, onChange, channels }: PartProps & { channels: readonly AlertChannel[] }) {
  const intl = useIntl()
  const toggle = (channel: AlertChannel, kind: AlertKind): void => {
    const chosen = choice.kinds[channel]
    const next = chosen.includes(kind) ? chosen.filter((each) => each !== kind) : [...chosen, kind]
    onChange({ kinds: { ...choice.kinds, [channel]: next } })
  }
  return (
    <ScrollRegion label="alerts.what">
      <Table>
        <caption className={texts.hidden}>
          <FormattedMessage id="alerts.kindsByChannel" />
        </caption>
        <thead>
          <tr>
            <TextCell as="th" scope="col">
              <FormattedMessage id="alerts.kind" />
            </TextCell>
            {channels.map((channel) => (
              <th key={channel} scope="col">
                <FormattedMessage id={`alerts.channel.${channel}`} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {ALERT_KINDS.map((kind) => (
            <tr key={kind}>
              <TextCell as="th" scope="row">
                <FormattedMessage id={`alerts.kind.${kind}`} />
              </TextCell>
              {channels.map((channel) => (
                <td key={channel}>
                  <label className={styles.target}>
                    <input
                      type="checkbox"
                      className={styles.box}
                      checked={choice.kinds[channel].includes(kind)}
                      aria-label={intl.formatMessage(
                        { id: 'alerts.kindOn' },
                        {
                          kind: intl.formatMessage({ id: `alerts.kind.${kind}` }),
                          channel: intl.formatMessage({ id: `alerts.channel.${channel}` }),
                        },
                      )}
                      onChange={() => toggle(channel, kind)}
                    />
                  </label>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </Table>
    </ScrollRegion>
  )
}

function Prices({ choice, onChange }: PartProps) {
  const intl = useIntl()
  const format = useFormat()
  const id = useId()
  const { pricePercent, priceBelow } = choice
  const offered = [...new Set([...PERCENTAGES, ...(pricePercent === null ? [] : [pricePercent])])]
  return (
    <>
      <SelectField
        label={<FormattedMessage id="alerts.pricePercent" />}
        value={pricePercent === null ? '' : String(pricePercent)}
        options={[
          { value: '', label: intl.formatMessage({ id: 'alerts.never' }) },
          ...offered
            .toSorted((a, b) => a - b)
            .map((value) => ({ value: String(value), label: format.percent(value / 100, 0) })),
        ]}
        onChange={(value) => onChange({ pricePercent: value === '' ? null : Number(value) })}
      />
      <div className={fieldStyles.field}>
        <label htmlFor={id}>
          <FormattedMessage id="alerts.priceBelow" />
        </label>
        <NumberField
          id={id}
          className={fieldStyles.control}
          value={priceBelow}
          min={1}
          max={1000}
          placeholder={intl.formatMessage({ id: 'alerts.never' })}
          onChange={(value) => onChange({ priceBelow: value })}
        />
      </div>
    </>
  )
}

const timeOf = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`

/** Minutes after midnight of a time as `22:30`; `null` while it is not whole. */
function minuteOf(time: string): number | null {
  const [, hours, minutes] = /^(\d\d):(\d\d)$/.exec(time) ?? []
  return hours === undefined ? null : Number(hours) * 60 + Number(minutes)
}

function Quiet({ choice: { quiet }, onChange }: PartProps) {
  const set = (part: 'from' | 'to', time: string): void => {
    const minute = minuteOf(time)
    if (quiet !== null && minute !== null) onChange({ quiet: { ...quiet, [part]: minute } })
  }
  return (
    <>
      <Tick value={quiet !== null} onChange={(on) => onChange({ quiet: on ? NIGHT : null })}>
        <FormattedMessage id="alerts.quiet" />
      </Tick>
      {quiet === null ? null : (
        <Row>
          {(['from', 'to'] as const).map((part) => (
            <TextField
              key={part}
              label={<FormattedMessage id={`alerts.quiet.${part}`} />}
              type="time"
              value={timeOf(quiet[part])}
              onChange={(time) => set(part, time)}
            />
          ))}
        </Row>
      )}
    </>
  )
}
