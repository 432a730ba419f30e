import { lazy } from 'react'

/** The table of any length; its library is a chunk of its own and comes with the first one. */
export const DataGrid = lazy(() => import('./data-grid.tsx')) as typeof import('./data-grid.tsx').default
