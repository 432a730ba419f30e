import type { OpenedDataset } from '../../../analytics/engine-api.ts'

let opened: OpenedDataset | null = null

/** What the engine has open, even while more is being opened; `null` if nothing. */
export const openedNow = (): OpenedDataset | null => opened

export function setOpened(now: OpenedDataset | null): void {
  opened = now
}
