import { createContext, use } from 'react'
import type { Filter } from '../../../analytics/filter.ts'
import type { ChangeView } from './use-view.ts'
import type { Subject, WorkspaceView } from './view.ts'

/** Changes the newest selection. */
export type ChangeFilter = (next: (filter: Filter | null) => Filter | null) => void

/** The view that the page shows, and how it is changed. Consumers are rendered again with every gesture. */
export interface WorkspaceState {
  view: WorkspaceView
  subject: Subject
  onChange: ChangeView
  onFilter: ChangeFilter
}

export const WorkspaceContext = createContext<WorkspaceState | null>(null)

/** The view on screen; requires a `Workspace` above. */
export function useWorkspace(): WorkspaceState {
  const state = use(WorkspaceContext)
  if (!state) throw new Error('no workspace above')
  return state
}
