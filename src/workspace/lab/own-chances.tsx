import { useMemo } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import type { LabResult, OwnMix } from '../../../analytics/lab-api.ts'
import { EXPONENT_RANGE, storedWins } from '../../features/chances/stored-chances.ts'
import { useFormat } from '../../i18n/format.ts'
import { FIRST_OWN, type LabSettings, type OwnSettings } from './lab-settings.ts'
import { ChoiceRow, RangeRow } from './range-row.tsx'
import styles from './lab.module.css'

/** The mixture that a run needs; `null` where the predicted probabilities are used. */
export function useOwnMix(own: OwnSettings | null): OwnMix | null {
  return useMemo(
    () =>
      own === null
        ? null
        : { share: own.share, exponents: own.exponents, saved: own.saved ? storedWins() : [] },
    [own],
  )
}

interface OwnChancesProps {
  settings: LabSettings
  /** Races with own probabilities in the last result. */
  races: LabResult['ownRaces']
  onDraft(settings: LabSettings): void
  onCommit(settings: LabSettings): void
}

const EXPONENTS = ['second', 'third', 'fourth'] as const

/** Selects the probabilities that rules and stakes use: the predicted ones, or the user's own. */
export function OwnChances({ settings, races, onDraft, onCommit }: OwnChancesProps) {
  const intl = useIntl()
  const format = useFormat()
  const word = (id: string): string => intl.formatMessage({ id })
  const { own } = settings
  const saved = useMemo(() => new Set(storedWins().map(({ raceId }) => raceId)).size, [])
  const withOwn = (changed: Partial<OwnSettings>): LabSettings => ({
    ...settings,
    own: { ...(own ?? FIRST_OWN), ...changed },
  })
  const commit = (): void => onCommit(settings)
  return (
    <fieldset className={styles.group}>
      <legend>
        <FormattedMessage id="lab.chances" />
      </legend>
      <ChoiceRow
        label={word('lab.chances.of')}
        value={own === null ? 'predicted' : 'own'}
        choices={(['predicted', 'own'] as const).map((each) => ({
          value: each,
          label: word(`lab.chances.${each}`),
        }))}
        onChange={(value) => onCommit({ ...settings, own: value === 'own' ? FIRST_OWN : null })}
      />
      {own === null ? null : (
        <>
          <RangeRow
            label={word('lab.chances.share')}
            min={0}
            max={1}
            step={0.05}
            any="none"
            value={own.share}
            show={(value) => format.percent(value, 0)}
            onDraft={(value) => onDraft(withOwn({ share: value ?? FIRST_OWN.share }))}
            onCommit={commit}
          />
          {EXPONENTS.map((place) => (
            <RangeRow
              key={place}
              label={word(`lab.chances.${place}`)}
              {...EXPONENT_RANGE}
              step={0.01}
              any="none"
              value={own.exponents[place]}
              show={(value) => format.decimal(value, 2)}
              onDraft={(value) =>
                onDraft(
                  withOwn({ exponents: { ...own.exponents, [place]: value ?? FIRST_OWN.exponents[place] } }),
                )
              }
              onCommit={commit}
            />
          ))}
          {saved === 0 ? null : (
            <label className={styles.check}>
              <input
                type="checkbox"
                checked={own.saved}
                onChange={() => onCommit(withOwn({ saved: !own.saved }))}
              />
              <FormattedMessage id="lab.chances.saved" values={{ races: saved }} />
            </label>
          )}
          {races === null ? null : (
            <p className={styles.note} data-testid="own-races">
              <FormattedMessage
                id="lab.chances.races"
                values={{ own: format.integer(races.own), all: format.integer(races.all) }}
              />
            </p>
          )}
        </>
      )}
    </fieldset>
  )
}
