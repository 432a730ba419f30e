import type { LucideIcon } from 'lucide-react'
import type { ButtonHTMLAttributes, ReactNode } from 'react'
import { useWord } from '../../i18n/use-word.ts'
import { Select, type SelectProps } from '../../ui/fields/select.tsx'
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

/** A control with the name that it has for screen readers shown before it. */
export const Named = ({ name, children }: { name: string; children: ReactNode }) => (
  <span className={styles.named}>
    <span aria-hidden="true">{name}</span>
    {children}
  </span>
)
