import type { PointerEvent } from 'react'

/** The pointer rests this long on a value before its figures are asked for: the index of its view is there by then. */
const REST_MS = 120

let timer: ReturnType<typeof setTimeout> | undefined

/** Handlers of a button: calls `onNear` when a mouse rests on it. A finger is there only with its tap. */
export const nearProps = (onNear: () => void) => ({
  onPointerEnter: ({ pointerType }: Pick<PointerEvent, 'pointerType'>): void => {
    clearTimeout(timer)
    if (pointerType !== 'touch') timer = setTimeout(onNear, REST_MS)
  },
  onPointerLeave: (): void => clearTimeout(timer),
})
