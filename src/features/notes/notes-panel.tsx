import type { ComponentProps } from 'react'
import { FormattedMessage } from 'react-intl'
import { useToken } from '../../data/client/session.ts'
import { ExtraTexts } from '../../i18n/extra-texts.tsx'
import { HelpLink } from '../../ui/help-link.tsx'
import { Panel, Skeleton } from '../../ui/panel.tsx'
import { SubjectNotes } from './subject-notes.tsx'

/** Notes on one subject as a panel of its screen; not shown to visitors. */
export default function NotesPanel(props: ComponentProps<typeof SubjectNotes>) {
  if (useToken() === null) return null
  return (
    <ExtraTexts part="notes" waiting={<Skeleton height={120} />}>
      <Panel
        title={<FormattedMessage id="notes.title" />}
        actions={<HelpLink topic="notes" text="notes.help" />}
      >
        <SubjectNotes {...props} />
      </Panel>
    </ExtraTexts>
  )
}
