import { lazy } from 'react'

export const loadDataGrid = () => import('./data-grid.tsx')

/** The data grid; its library is a separate chunk that is loaded with the first grid. */
export const DataGrid = lazy(loadDataGrid) as typeof import('./data-grid.tsx').default
