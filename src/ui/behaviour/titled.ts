import type { SyntheticEvent } from 'react'

/**
 * A tooltip whose text is created only when it is about to be shown: creating hundreds on every change would
 * cost more than the change.
 */
export function titled(text: () => string) {
  const tell = ({ currentTarget }: SyntheticEvent<HTMLElement>): void => {
    currentTarget.title = text()
  }
  return { onPointerEnter: tell, onFocus: tell }
}
