import { Suspense } from 'react'
import { useIsFollowed, type FollowTarget } from '../../data/use-follows.ts'
import { isLanguage } from '../../../domain/languages.ts'
import { loadExtraMessages } from '../../i18n/language.ts'
import { lazyOrNothing } from '../../ui/behaviour/lazy-or-nothing.ts'
import type { FollowButtonProps } from './follow-button.tsx'
import styles from './follow.module.css'

/** The texts are loaded with the code: if they cannot be, there is no button, and the screen around it stays. */
async function withTexts<Module>(load: Promise<Module>): Promise<Module> {
  const { lang } = document.documentElement
  if (isLanguage(lang)) await loadExtraMessages('follow', lang)
  return load
}

const Button = lazyOrNothing(() => withTexts(import('./follow-button.tsx')))
const Mark = lazyOrNothing(() => withTexts(import('./followed-star.tsx')))

/** The button that follows something; its place is reserved until it is loaded. */
export const FollowToggle = (props: FollowButtonProps) => (
  <Suspense fallback={<span className={styles.button} />}>
    <Button {...props} />
  </Suspense>
)

/** A star beside the name of a horse that the signed-in user follows. */
export const FollowedMark = ({ horseId }: { horseId: FollowTarget['target'] | null }) =>
  horseId === null ? null : <MarkOf horseId={horseId} />

function MarkOf({ horseId }: { horseId: string }) {
  if (!useIsFollowed({ kind: 'horse', target: horseId })) return null
  return (
    <Suspense fallback={null}>
      <Mark />
    </Suspense>
  )
}
