import type { LucideIcon } from 'lucide-react'
import type { ButtonHTMLAttributes } from 'react'
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
}

/** A select beside other tools, without a visible name. */
export function ToolSelect<Value extends string>(props: ToolSelectProps<Value>) {
  const { label, values, className = '', ...rest } = props
  return (
    <Select className={`${styles.select} ${className}`} aria-label={useWord()(label, values)} {...rest} />
  )
}
