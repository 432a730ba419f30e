import { createContext, use } from 'react'
import type { Pick } from '../../../analytics/clauses.ts'
import type { Filter } from '../../../analytics/filter.ts'
import type { Scalar } from '../../../analytics/model.ts'
import type { ChangeView, NewestView } from './use-view.ts'
import type { Basis, WorkspaceView } from '../../../analytics/view/view.ts'

type Keys = Readonly<{ altKey: boolean; shiftKey: boolean }>

/**
 * How a gesture on a value changes the selection: with Alt it excludes, with Shift it adds, otherwise it
 * selects only that value.
 */
export const pickOf = ({ altKey, shiftKey }: Keys): Pick => (altKey ? 'exclude' : shiftKey ? 'add' : 'only')

/** Values of dimensions that one gesture selects together. */
export type OnPick = (picks: readonly (readonly [dim: string, value: Scalar])[], how: Pick) => void

/** A gesture that would select values alone is about to be made. */
export type OnNear = (picks: Parameters<OnPick>[0]) => void

/** Changes the newest selection. */
export type ChangeFilter = (next: (filter: Filter | null) => Filter | null) => void

/** The view that the page shows, and how it is changed. Consumers are rendered again with every gesture. */
export interface WorkspaceState {
  view: WorkspaceView
  newest: NewestView
  basis: Basis
  onChange: ChangeView
  onFilter: ChangeFilter
  /** The same gesture is about to be made: its figures are asked for. */
  onForesee: ChangeFilter
}

export const WorkspaceContext = createContext<WorkspaceState | null>(null)

/** The view on screen; requires a `Workspace` above. */
export function useWorkspace(): WorkspaceState {
  const state = use(WorkspaceContext)
  if (!state) throw new Error('no workspace above')
  return state
}

/**
 * What `pick` takes of the view of the last gesture: something that is identical while the view is. For the state of
 * controls, which must not wait for the figures.
 */
export const useNewest = <Part>(pick: (view: WorkspaceView) => Part): Part => useWorkspace().newest.use(pick)
