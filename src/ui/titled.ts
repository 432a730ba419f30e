import type { SyntheticEvent } from 'react'

/** A tip that is put into words when somebody is about to see it: hundreds of them a change would cost more than the change. */
export function titled(text: () => string) {
  const tell = ({ currentTarget }: SyntheticEvent<HTMLElement>): void => {
    currentTarget.title = text()
  }
  return { onPointerEnter: tell, onFocus: tell }
}
