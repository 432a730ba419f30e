/** A picture of a chart: its name, and what it shows in words below it. */
export interface ChartPicture {
  name: string
  caption(): string
}

export type PictureFormat = 'png' | 'svg'

/** The contents of a picture that a library gives as a data address. */
export function contentsOf(address: string, format: PictureFormat): Blob {
  const contents = address.slice(address.indexOf(',') + 1)
  if (format === 'svg') return new Blob([decodeURIComponent(contents)], { type: 'image/svg+xml' })
  const bytes = Uint8Array.from(atob(contents), (letter) => letter.codePointAt(0)!)
  return new Blob([bytes], { type: 'image/png' })
}
