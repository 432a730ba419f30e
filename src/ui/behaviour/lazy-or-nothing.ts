import { lazy, type ComponentType } from 'react'

/** A part in a separate chunk, which renders nothing if the chunk cannot be loaded. */
export const lazyOrNothing = <Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) =>
  lazy<ComponentType<Props>>(() => load().catch(() => ({ default: () => null })))
