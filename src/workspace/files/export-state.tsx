import { useRef, useState } from 'react'
import { useFormat } from '../../i18n/format.ts'
import { useWord } from '../../i18n/use-word.ts'
import { Button } from '../../ui/button.tsx'
import { Small } from '../../ui/layout.tsx'
import { ErrorNotice } from '../../ui/panel.tsx'
import styles from './export-state.module.css'

type State =
  | { kind: 'idle' }
  /** Number of rows read so far; `null` if unknown. */
  | { kind: 'working'; rows: number | null }
  | { kind: 'done'; rows: number }
  | { kind: 'copied' }
  | { kind: 'failed'; error: unknown }

/** The progress of an export, and the ways to begin and cancel one. */
export function useExport() {
  const [state, setState] = useState<State>({ kind: 'idle' })
  const cancelling = useRef<AbortController | null>(null)
  /** Runs an export that can be cancelled; `work` resolves to the number of rows saved. */
  const run = async (work: (signal: AbortSignal) => Promise<number>): Promise<void> => {
    const { signal } = (cancelling.current = new AbortController())
    setState({ kind: 'working', rows: null })
    try {
      const rows = await work(signal)
      setState(signal.aborted ? { kind: 'idle' } : { kind: 'done', rows })
    } catch (error) {
      setState(signal.aborted ? { kind: 'idle' } : { kind: 'failed', error })
    }
  }
  return { state, setState, run, cancel: () => cancelling.current?.abort() }
}

interface ExportStateProps {
  state: State
  /** Number of rows that are read; `null` if unknown. */
  total: number | null
}

/** The progress of an export that is under way, with a button that cancels it. */
export function ExportProgress({ state, total, onCancel }: ExportStateProps & { onCancel(): void }) {
  const word = useWord()
  if (state.kind !== 'working') return null
  return (
    <>
      <progress
        className={styles.progress}
        aria-label={word('workspace.exporting')}
        {...(state.rows === null || total === null ? {} : { value: state.rows, max: total })}
      />
      <Button onClick={onCancel} text="workspace.cancelExport" />
    </>
  )
}

/** How far the export is, that it is done, or why it failed. */
export function ExportState({ state, total }: ExportStateProps) {
  const word = useWord()
  const format = useFormat()
  const textOf = (): string => {
    if (state.kind === 'copied') return word('workspace.copied')
    if ((state.kind !== 'working' && state.kind !== 'done') || state.rows === null) return ''
    const rows = format.integer(state.rows)
    if (state.kind === 'done') return word('record.exported', { rows })
    return word('workspace.exportedSoFar', { rows, total: total === null ? '…' : format.integer(total) })
  }
  return (
    <>
      <Small role="status" as="span">
        {textOf()}
      </Small>
      {state.kind === 'failed' ? <ErrorNotice error={state.error} /> : null}
    </>
  )
}
