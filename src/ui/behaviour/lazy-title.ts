import type { SyntheticEvent } from 'react'

/**
 * A tooltip whose text is created only when it is about to be shown: creating hundreds on every change would
 * cost more than the change.
 */
export function lazyTitle(text: () => string) {
  const setTitle = ({ currentTarget }: SyntheticEvent<HTMLElement>): void => {
    currentTarget.title = text()
  }
  return { onPointerEnter: setTitle, onFocus: setTitle }
}
