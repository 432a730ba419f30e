import type { ReactNode } from 'react'
import { ScrollArea } from '../../ui/layout.tsx'
import styles from './scrolled.module.css'

/** A scroll area as high as its panel allows; `label` names it for screen readers. */
export const Scrolled = ({ label, children }: { label: string; children: ReactNode }) => (
  <ScrollArea name={label} role="group" className={styles.scroll}>
    {children}
  </ScrollArea>
)
