import { createContext } from 'react'

/** Whether the part of a long page that a component is in is in view, or close to it. */
export const SeenContext = createContext(true)
