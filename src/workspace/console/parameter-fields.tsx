import { FormattedMessage } from 'react-intl'
import { TextField } from '../../ui/fields/text-field.tsx'
import { parametersOf, withParameter } from './parameters.ts'
import styles from './console.module.css'

interface ParameterFieldsProps {
  sql: string
  onChange(sql: string): void
}

/** An input for each parameter `$name` of a statement. */
export function ParameterFields({ sql, onChange }: ParameterFieldsProps) {
  const parameters = parametersOf(sql)
  if (parameters.length === 0) return null
  return (
    <fieldset className={styles.parameters}>
      <legend>
        <FormattedMessage id="console.parameters" />
      </legend>
      {parameters.map(({ name, value }) => (
        <TextField
          key={name}
          label={<FormattedMessage id="console.parameter" values={{ name }} />}
          value={value}
          spellCheck={false}
          onChange={(next) => onChange(withParameter(sql, name, next))}
        />
      ))}
    </fieldset>
  )
}
