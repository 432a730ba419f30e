import type { QueryClient } from '@tanstack/react-query'
import type { ComponentType, ReactNode } from 'react'
import { createHashRouter, Navigate, type RouteObject } from 'react-router-dom'
import { RequireSignIn } from '../features/session/race-address.tsx'
import { HomeScreen } from '../screens/home/home-screen.tsx'
import { PAGES, type Page, type PagePath } from '../data/pages.ts'
import { prefetchRace } from '../data/use-race.ts'
import { MANIFEST_QUERY } from '../data/use-region.ts'
import { ExtraTexts } from '../i18n/extra-texts.tsx'
import { queryClient } from './query-client.ts'
import type { ExtraPart } from '../i18n/extra-parts.ts'
import { loadExtraMessages } from '../i18n/language.ts'
import { browserLanguage, storedLanguage } from '../i18n/likely-language.ts'
import { NotFoundScreen } from '../screens/not-found/not-found-screen.tsx'
import { Skeleton } from '../ui/panel.tsx'
import { recoverFromMissingChunk } from './chunk-recovery.ts'
import { Frame } from './frame.tsx'
import { RouteError } from './route-error.tsx'

/** The screens by their file; home and the one of unknown addresses are in the first chunk. */
const SCREENS = import.meta.glob<Readonly<Record<string, ComponentType>>>([
  '../screens/*/*-screen.tsx',
  '!../screens/{home,not-found}/*',
])

/** Name of a screen's component by its file: `VipPayScreen` of `membership/vip-pay-screen`. */
const componentOf = (screen: string): string =>
  screen
    .slice(screen.indexOf('/') + 1)
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')

async function loadScreen(screen: string): Promise<ComponentType> {
  const components = await SCREENS[`../screens/${screen}.tsx`]!()
  return components[componentOf(screen)]!
}

/**
 * Prefetch a screen's data while its code loads, if it is the first screen; they receive the address's parameters.
 */
const PREFETCHES: Partial<Record<PagePath, (client: QueryClient, address: URLSearchParams) => void>> = {
  '/pages/race/HorseRace': (client, address) => {
    const raceId = address.get('id')
    if (raceId !== null && /^[A-Z]{5}\d{10}$/.test(raceId)) prefetchRace(client, raceId)
  },
}

/** A chunk that has not loaded after this time counts as missing (specification section 9). */
const CHUNK_MS = 120_000

function inTime<Value>(loading: Promise<Value>): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('chunk load timeout')), CHUNK_MS)
  })
  return Promise.race([loading, late]).finally(() => clearTimeout(timer))
}

/** Content that waits for the message chunks that it needs. */
const withTexts = (content: ReactNode, parts: readonly ExtraPart[]): ReactNode =>
  parts.reduce(
    (inner, part) => (
      <ExtraTexts part={part} waiting={<Skeleton height={420} />}>
        {inner}
      </ExtraTexts>
    ),
    content,
  )

const routeOf = ({ path, screen, texts = [], figures, signedIn }: Page): RouteObject => ({
  path,
  lazy: async () => {
    // Messages and code load in parallel; on a first visit, in the language that is likely to be shown.
    const language = storedLanguage() ?? browserLanguage()
    for (const part of texts) void loadExtraMessages(part, language).catch(() => null)
    if (figures) void queryClient.prefetchQuery(MANIFEST_QUERY)
    const [first, search] = globalThis.location.hash.slice(1).split('?')
    if (first === path) PREFETCHES[path as PagePath]?.(queryClient, new URLSearchParams(search))
    const Screen = await inTime(loadScreen(screen))
    return {
      Component: function Page() {
        const content = withTexts(<Screen />, texts)
        return signedIn ? <RequireSignIn>{content}</RequireSignIn> : content
      },
    }
  },
})

/**
 * Routes by the specification's paths; home is in the first chunk, every other screen is
 * loaded when it is opened.
 */
export const router = createHashRouter([
  {
    element: <Frame />,
    errorElement: <RouteError />,
    children: [
      {
        errorElement: <RouteError />,
        // The frame is shown while the first screen's code is loading.
        hydrateFallbackElement: <Skeleton height={420} />,
        children: [
          { path: '/', element: <HomeScreen /> },
          { path: '/pages/index/index', element: <HomeScreen /> },
          ...PAGES.map(routeOf),
          // Links from older builds.
          {
            path: '/pages/foot/vipactivationlog',
            element: <Navigate to="/pages/race/vipactivationlog" replace />,
          },
          { path: '*', element: <NotFoundScreen /> },
        ],
      },
    ],
  },
])

/** Resolves as soon as the code of the screen in the address is loaded. */
export const firstScreen = (): Promise<void> =>
  new Promise((resolve) => {
    if (router.state.initialized) return resolve()
    const stop = router.subscribe(({ initialized }) => {
      if (!initialized) return
      stop()
      resolve()
    })
    return undefined
  })

recoverFromMissingChunk(() => router.state.navigation.location)
