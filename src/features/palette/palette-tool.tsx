import { Search } from 'lucide-react'
import { Suspense, useEffect, useState } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { Dialog } from '../../ui/dialog.tsx'
import { isTyping } from '../../ui/behaviour/is-typing.ts'
import { lazyOrNothing } from '../../ui/behaviour/lazy-or-nothing.ts'
import { onSearchAsked } from '../../ui/behaviour/open-search.ts'
import type { QuestionReader } from './found-question.ts'
import styles from './palette.module.css'

const PaletteContent = lazyOrNothing(() => import('./palette-content.tsx'))
const Shortcuts = lazyOrNothing(() => import('./shortcuts.tsx'))

/** Search over screens, races, horses and views, opened by its button, Ctrl K or `/`; `?` lists the shortcuts. */
export function PaletteTool({ QuestionReader }: { QuestionReader?: QuestionReader }) {
  const intl = useIntl()
  const [open, setOpen] = useState<'palette' | 'shortcuts' | null>(null)
  const close = (): void => setOpen(null)
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      // An open dialog handles the keyboard exclusively.
      if (event.defaultPrevented || event.altKey || document.querySelector('dialog[open]')) return
      const command = event.ctrlKey || event.metaKey
      const search = command ? event.key.toLowerCase() === 'k' : event.key === '/' && !isTyping(event.target)
      const list = !command && event.key === '?' && !isTyping(event.target)
      if (!search && !list) return
      event.preventDefault()
      setOpen(search ? 'palette' : 'shortcuts')
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
  useEffect(() => onSearchAsked(() => setOpen('palette')), [])
  const title = intl.formatMessage({ id: 'palette.title' })
  return (
    <>
      <button
        type="button"
        className={styles.tool}
        aria-label={title}
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K /"
        title={`${title} (Ctrl K)`}
        onClick={() => setOpen('palette')}
      >
        <Search aria-hidden="true" size={18} />
      </button>
      <Dialog open={open === 'palette'} onClose={close} title={title} pinned>
        <Suspense>
          <PaletteContent
            onClose={close}
            onShortcuts={() => setOpen('shortcuts')}
            QuestionReader={QuestionReader}
          />
        </Suspense>
      </Dialog>
      <Dialog open={open === 'shortcuts'} onClose={close} title={<FormattedMessage id="shortcut.title" />}>
        <Suspense>
          <Shortcuts />
        </Suspense>
      </Dialog>
    </>
  )
}
