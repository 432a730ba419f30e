import type { RefObject } from 'react'

/** A picture of a chart: its file name, and a caption that describes it. */
export interface ChartPicture {
  name: string
  caption(): string
  /** Saves the chart; the chart sets it while it is on the page, for a menu elsewhere. */
  saver: RefObject<((format: PictureFormat) => void) | null>
}

export const PICTURE_FORMATS = ['png', 'svg'] as const
export type PictureFormat = (typeof PICTURE_FORMATS)[number]

/** Decodes the data URL of a picture. */
export function contentsOf(address: string, format: PictureFormat): Blob {
  const contents = address.slice(address.indexOf(',') + 1)
  if (format === 'svg') return new Blob([decodeURIComponent(contents)], { type: 'image/svg+xml' })
  const bytes = Uint8Array.from(atob(contents), (letter) => letter.codePointAt(0)!)
  return new Blob([bytes], { type: 'image/png' })
}
