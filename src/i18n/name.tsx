import { useEffect, useSyncExternalStore, type ReactNode } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import type { Language } from '../../domain/languages.ts'
import { isJapanese } from './is-japanese.ts'
import { nameNotes, noteName, onNameNotes } from './name-notes.ts'
import styles from './name.module.css'

interface NameProps {
  /** Language of the name; `null` if it is a brand, `undefined` if that is not known. */
  language: Language | null | undefined
  children: ReactNode
}

/** A name. If it is no name of the user's language, the page says so once, in `NameNotes`. */
export function Name({ language, children }: NameProps) {
  const { locale } = useIntl()
  const note = language === undefined || language === locale ? null : (language ?? 'brand')
  useEffect(() => (note === null ? undefined : noteName(note)), [note])
  if (typeof children === 'string' && isJapanese(children)) return <span lang="ja">{children}</span>
  return note === null || note === 'brand' ? children : <span lang={note}>{children}</span>
}

/** The name of a jockey or a trainer; a dash if it is unknown. */
export const PersonName = ({ name, language }: { name: string | null; language: Language | null }) =>
  name === null ? '–' : <Name language={language ?? undefined}>{name}</Name>

/** What is to be said of the names on the page: one line for all of them, nothing if each is of the user's language. */
export function NameNotes() {
  const notes = useSyncExternalStore(onNameNotes, nameNotes)
  return notes.length === 0 ? null : (
    <p className={styles.notes} data-testid="name-notes">
      {notes.map((note, index) => (
        <span key={note}>
          {index === 0 ? null : ' '}
          <FormattedMessage id={`nameIn.${note}`} />
        </span>
      ))}
    </p>
  )
}
