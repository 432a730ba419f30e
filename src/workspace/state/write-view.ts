import { viewWords, type WorkspaceView } from '../../../analytics/view/view.ts'

/** Serialises a view; default values are omitted. */
export const writeView = (view: WorkspaceView): URLSearchParams => new URLSearchParams(viewWords(view))
