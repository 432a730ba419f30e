import { lazy } from 'react'

/** The data grid; its library is a separate chunk that is loaded with the first grid. */
export const DataGrid = lazy(() => import('./data-grid.tsx')) as typeof import('./data-grid.tsx').default
