import { lazy, type ComponentType } from 'react'

/** A part that comes as a chunk of its own and that the page does without where the chunk cannot be had. */
export const optional = <Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) =>
  lazy<ComponentType<Props>>(() => load().catch(() => ({ default: () => null })))
