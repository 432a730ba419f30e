import { FormattedMessage } from 'react-intl'
import { parametersOf, withParameter } from './parameters.ts'
import styles from './console.module.css'

interface ParameterFieldsProps {
  sql: string
  onChange(sql: string): void
}

/** A field for each `$name` of a statement. */
export function ParameterFields({ sql, onChange }: ParameterFieldsProps) {
  const parameters = parametersOf(sql)
  if (parameters.length === 0) return null
  return (
    <fieldset className={styles.parameters}>
      <legend>
        <FormattedMessage id="console.parameters" />
      </legend>
      {parameters.map(({ name, value }) => (
        <label key={name}>
          <code>
            <FormattedMessage id="console.parameter" values={{ name }} />
          </code>
          <input
            value={value}
            spellCheck={false}
            onChange={(event) => onChange(withParameter(sql, name, event.target.value))}
          />
        </label>
      ))}
    </fieldset>
  )
}
