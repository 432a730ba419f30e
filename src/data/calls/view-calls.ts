import type * as view from '../../../contract/api/view.ts'
import type { ResultOf } from '../../../contract/api/endpoint.ts'
import { get, post, remove } from '../client/api-client.ts'

export type SavedView = ResultOf<typeof view.querySavedViews>[number]

export const fetchSavedViews = (countryRegionId: string, signal?: AbortSignal): Promise<SavedView[]> =>
  get('sys/api/customer/savedViews', { countryRegionId }, signal)

export const saveView = (body: {
  countryRegionId: string
  name: string
  address: string
}): Promise<SavedView> => post('sys/api/customer/savedViews', body)

export const renameView = (id: string, name: string): Promise<ResultOf<typeof view.changeSavedView>> =>
  post('sys/api/customer/changeSavedView', { id, name })

export const moveViewUp = (id: string): Promise<ResultOf<typeof view.changeSavedView>> =>
  post('sys/api/customer/changeSavedView', { id, up: true })

export const followView = (id: string, followed: boolean): Promise<ResultOf<typeof view.changeSavedView>> =>
  post('sys/api/customer/changeSavedView', { id, followed })

export const deleteView = (id: string): Promise<ResultOf<typeof view.deleteSavedView>> =>
  remove('sys/api/customer/savedViews', { id })

export const fetchSharedView = (
  code: string,
  signal?: AbortSignal,
): Promise<ResultOf<typeof view.querySharedView>> => get('sys/api/sharedView', { code }, signal)
