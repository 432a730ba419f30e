import type { LucideIcon } from 'lucide-react'
import type { ButtonHTMLAttributes, ReactNode } from 'react'
import { useWord } from '../../i18n/use-word.ts'
import { useWide } from '../../ui/behaviour/use-wide.ts'
import { Button } from '../../ui/button.tsx'
import { Select, type SelectProps } from '../../ui/fields/select.tsx'
import { Popover } from '../../ui/popover.tsx'
import styles from './controls.module.css'

interface ToolButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  icon: LucideIcon
  /** Message id of its name, and the message's values. */
  label: string
  values?: Readonly<Record<string, string>>
  /** Whether the name is its tooltip, too. */
  titled?: boolean
}

/** A button with an icon and no words. */
export function ToolButton(props: ToolButtonProps) {
  const { icon: Icon, label, values, titled = false, className = '', ...rest } = props
  const name = useWord()(label, values)
  return (
    <button
      type="button"
      className={`${styles.tool} ${className}`}
      aria-label={name}
      title={titled ? name : undefined}
      {...rest}
    >
      <Icon aria-hidden="true" size={16} />
    </button>
  )
}

type ToolSelectProps<Value extends string> = SelectProps<Value> & {
  /** Message id of its name, and the message's values. */
  label: string
  values?: Readonly<Record<string, string>>
  /** Whether its name is shown before it. */
  named?: boolean
}

/** A select beside other tools. */
export function ToolSelect<Value extends string>(props: ToolSelectProps<Value>) {
  const { label, values, named = false, className = '', ...rest } = props
  const name = useWord()(label, values)
  const select = <Select className={`${styles.select} ${className}`} aria-label={name} {...rest} />
  return named ? <Named name={name}>{select}</Named> : select
}

interface ToolChoiceProps<Value extends string> {
  /** Message id of its name. */
  label: string
  /** Message id of a shorter name, shown before it; `null` for a choice that speaks for itself. */
  short?: string | null
  value: Value
  options: readonly { value: Value; label: string }[]
  onChange(value: Value): void
}

/** One of some choices, behind a button that states it; on a phone a select. */
export function ToolChoice<Value extends string>(props: ToolChoiceProps<Value>) {
  const { label, short = label, value, options, onChange } = props
  const word = useWord()
  if (!useWide())
    return <ToolSelect named label={label} value={value} options={options} onChange={onChange} />
  const chosen = options.find((each) => each.value === value)?.label ?? ''
  const choice = (
    <Popover button={<span className={styles.chosen}>{chosen}</span>} label={`${word(label)}: ${chosen}`}>
      {(close) => (
        <Options
          value={value}
          options={options}
          onChange={(next) => {
            close()
            onChange(next)
          }}
        />
      )}
    </Popover>
  )
  return short === null ? choice : <Named name={word(short)}>{choice}</Named>
}

/** The choices in a popover as buttons below each other, the chosen one pressed. */
export const Options = <Value extends string>({
  value,
  options,
  onChange,
}: Pick<ToolChoiceProps<Value>, 'value' | 'options' | 'onChange'>) =>
  options.map((each) => (
    <Button
      key={each.value}
      aria-pressed={each.value === value}
      data-value={each.value}
      onClick={() => onChange(each.value)}
    >
      {each.label}
    </Button>
  ))

/** A control with the name that it has for screen readers shown before it. */
export const Named = ({ name, children }: { name: string; children: ReactNode }) => (
  <span className={styles.named}>
    <span aria-hidden="true">{name}</span>
    {children}
  </span>
)
