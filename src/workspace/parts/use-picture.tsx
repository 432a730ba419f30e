import { useCallback, useEffect, useRef, useState } from 'react'
import { ErrorNotice } from '../../ui/panel.tsx'
import { saveFile } from '../../ui/behaviour/save-file.ts'
import type { PictureFormat } from '../../widgets/chart/picture.ts'
import { useCaption } from '../words/use-caption.ts'
import type { SliceAnswer } from '../query/use-slice.ts'
import { BETWEEN_FACTS } from '../../i18n/between-facts.ts'

interface PictureOf {
  slice: SliceAnswer
  model: string
  /** Suffix of the file name. */
  name: string
  /** Prefix of the caption. */
  title: string
}

/**
 * Lets a view that is not drawn by the chart library be saved as a picture: `place` is what the picture shows, and `saving`
 * is rendered beside it.
 */
export function usePicture(of: PictureOf) {
  const place = useRef<HTMLDivElement>(null)
  const [format, setFormat] = useState<PictureFormat | null>(null)
  const [failure, setFailure] = useState<unknown>(null)
  const onSave = useCallback((chosen: PictureFormat) => {
    setFailure(null)
    setFormat(chosen)
  }, [])
  const saving = (
    <>
      {format === null ? null : (
        <Save
          {...of}
          place={place}
          format={format}
          onEnd={(error) => {
            setFormat(null)
            setFailure(error)
          }}
        />
      )}
      {failure ? <ErrorNotice error={failure} /> : null}
    </>
  )
  return { place, onSave, saving }
}

interface SaveProps extends PictureOf {
  place: { readonly current: HTMLElement | null }
  format: PictureFormat
  onEnd(error: unknown): void
}

/**
 * Saves once. Mounted only for saving, because otherwise every change of the page
 * would recompute the caption.
 */
function Save({ slice, model, name, title, place, format, onEnd }: SaveProps) {
  const own = useCaption(slice, model, name)
  const begun = useRef(false)
  useEffect(() => {
    if (begun.current) return
    begun.current = true
    void (async () => {
      try {
        const { elementPicture } = await import('../../widgets/chart/element-picture.ts')
        const picture = { ...own, caption: () => `${title}${BETWEEN_FACTS}${own.caption()}` }
        saveFile(`${own.name}.${format}`, await elementPicture(place.current!, picture, format))
        onEnd(null)
      } catch (error) {
        onEnd(error)
      }
    })()
  })
  return null
}
