import { useRef, useState, type ReactNode } from 'react'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { saveFile } from '../ui/save-file.ts'
import { PictureButtons } from '../widgets/chart/picture-buttons.tsx'
import type { PictureFormat } from '../widgets/chart/picture.ts'
import { useCaption } from './use-caption.ts'
import type { SliceAnswer } from './use-slice.ts'

interface PicturedProps {
  slice: SliceAnswer
  model: string
  /** Ends the name of the file. */
  name: string
  /** Begins the caption. */
  title: string
  children: ReactNode
}

/** A view that is no chart of the chart library, which can be saved as a picture all the same. */
export function Pictured({ slice, model, name, title, children }: PicturedProps) {
  const place = useRef<HTMLDivElement>(null)
  const own = useCaption(slice, model, name)
  const picture = { ...own, caption: () => `${title} · ${own.caption()}` }
  const [failure, setFailure] = useState<unknown>(null)
  const save = async (format: PictureFormat): Promise<void> => {
    setFailure(null)
    try {
      const { elementPicture } = await import('../widgets/chart/element-picture.ts')
      saveFile(`${picture.name}.${format}`, await elementPicture(place.current!, picture, format))
    } catch (error) {
      setFailure(error)
    }
  }
  return (
    <div>
      <div ref={place}>{children}</div>
      <PictureButtons onSave={(format) => void save(format)} />
      {failure ? <ErrorNotice error={failure} /> : null}
    </div>
  )
}
