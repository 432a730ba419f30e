import { useEffect, useRef } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import type { ModelId } from '../../../contract/model-ids.ts'
import { memoryLimitMb } from '../../data/analytics/engine-state.ts'
import type { ModelFiles } from '../../data/analytics/model-files.ts'
import { useFormat } from '../../i18n/format.ts'
import { useWord } from '../../i18n/use-word.ts'
import { useWide } from '../../ui/behaviour/use-wide.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/panel.tsx'
import styles from './console.module.css'

interface ModelChoicesProps {
  /** The model of the page, whose rows are always there. */
  model: ModelId
  models: readonly ModelFiles[]
  chosen: readonly ModelId[]
  /** Whether the files of some models fit in memory together. */
  fits(models: readonly ModelId[]): boolean
  onChange(chosen: ModelId[]): void
}

/** Selects the models whose rows the tables have, each with what loading it takes. */
export function ModelChoices({ model, models, chosen, fits, onChange }: ModelChoicesProps) {
  const word = useWord()
  const format = useFormat()
  const wide = useWide()
  const open = [model, ...chosen.filter((each) => each !== model)]
  const cost = (each: ModelFiles): string => {
    if (each.model === model) return word('console.modelOfPage')
    if (each.missingBytes === 0) return word('console.modelStored')
    return word('console.modelSize', { size: format.bytes(each.missingBytes) })
  }
  const isTooLarge = (id: ModelId): boolean => !open.includes(id) && !fits([...open, id])
  if (models.length < 2) return null
  return (
    <details open={wide} data-testid="console-models">
      <summary>
        <FormattedMessage id="console.models" />
        <span>{word('console.modelsOf', { count: open.length, all: models.length })}</span>
      </summary>
      <fieldset className={styles.models}>
        <FormattedMessage id="console.modelsHint" tagName="legend" />
        {models.map((each) => (
          <label key={each.model}>
            <input
              type="checkbox"
              checked={open.includes(each.model)}
              disabled={each.model === model || isTooLarge(each.model)}
              onChange={({ currentTarget: { checked } }) =>
                onChange(checked ? [...chosen, each.model] : chosen.filter((other) => other !== each.model))
              }
            />
            <span>
              {word(`source.${each.model}`)} <small>{cost(each)}</small>
            </span>
          </label>
        ))}
      </fieldset>
      {models.some((each) => isTooLarge(each.model)) ? (
        <p className={styles.meaning}>
          <FormattedMessage
            id="console.modelsTooLarge"
            values={{ limit: format.bytes(memoryLimitMb() * 2 ** 20) }}
          />
        </p>
      ) : null}
    </details>
  )
}

interface LinkedModelsProps extends Omit<ModelChoicesProps, 'onChange'> {
  /** Models that the statement in the address reads. */
  linked: readonly ModelId[]
  /** Adds the models. */
  onLoad(models: ModelId[]): void
}

/** Offers to load the models of a shared statement; those that are on the device are loaded at once. */
export function LinkedModels({ model, models, chosen, fits, linked, onLoad }: LinkedModelsProps) {
  const intl = useIntl()
  const word = useWord()
  const format = useFormat()
  const lacking = models.filter(
    (each) => each.model !== model && linked.includes(each.model) && !chosen.includes(each.model),
  )
  const names = lacking.map((each) => each.model)
  const size = lacking.reduce((sum, { missingBytes }) => sum + missingBytes, 0)
  const isLarge = !fits([model, ...chosen, ...names])
  const isFree = names.length > 0 && size === 0 && !isLarge
  const free = isFree ? names.join() : ''
  const address = linked.join()
  const seen = useRef('')
  useEffect(() => {
    // Once an address: whoever removes a model afterwards does not get it back.
    if (seen.current === address) return
    seen.current = address
    if (free !== '') onLoad(free.split(',') as ModelId[])
  }, [address, free, onLoad])
  if (names.length === 0 || isFree) return null
  const list = intl.formatList(names.map((name) => word(`source.${name}`)))
  return (
    <Notice>
      <p>
        {isLarge ? (
          <FormattedMessage
            id="console.linkedTooLarge"
            values={{ models: list, limit: format.bytes(memoryLimitMb() * 2 ** 20) }}
          />
        ) : (
          <FormattedMessage id="console.linkedModels" values={{ models: list, size: format.bytes(size) }} />
        )}
      </p>
      {isLarge ? null : <Button onClick={() => onLoad(names)} text="console.loadModels" />}
    </Notice>
  )
}
