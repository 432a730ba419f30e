import opening from 'virtual:opening'
import messages from 'virtual:shared-messages'
import type { Language } from '../domain/languages.ts'
import { browserLanguage, storedLanguage } from './i18n/likely-language.ts'
import { inTab, onDevice } from './storage/stored-text.ts'

/**
 * The static page is painted before the application code runs, which on a slow phone takes almost two
 * seconds. The code is not fetched earlier either, so that the page, styles and first picture do not share a
 * slow connection with it.
 */
const KEY = 'furlong-boot-reload'
const AGAIN_AFTER_MS = 60_000

/**
 * Screens that are opened first most often, by path: their code is fetched together with the first chunk, which would ask
 * for it only once it runs. Whoever needs it asks again, and sees why it is missing.
 */
const SCREENS: Readonly<Record<string, () => Promise<unknown>>> = {
  '/pages/race/racehome': () => import('./screens/race-home/race-home-screen.tsx'),
  '/pages/race/HorseRace': () => import('./screens/horse-race/horse-race-screen.tsx'),
  '/pages/race/WinLossRecord': () => import('./screens/win-loss-record/win-loss-record-screen.tsx'),
  '/pages/race/PredictionResults': () => import('./screens/race-lists/prediction-results-screen.tsx'),
}

const path = (): string => location.hash.slice(1).split('?')[0]!
const language = (): Language => storedLanguage() ?? browserLanguage()

function start(): void {
  const ahead = [SCREENS[path()], messages[language()]]
  import('./main.tsx').catch(() => {
    // The build no longer exists on the server: reload the page, at most once a minute.
    if (Date.now() - Number(inTab.read(KEY) ?? 0) < AGAIN_AFTER_MS) return
    // Without storage the page would reload for ever.
    if (inTab.write(KEY, String(Date.now()))) location.reload()
  })
  for (const load of ahead) load?.().catch(() => null)
}

/** Screens whose opening texts for a visitor are known before their code is loaded, by path. */
const GREETINGS = {
  '': 'home',
  '/': 'home',
  '/pages/race/racehome': 'tips',
  '/pages/race/WinLossRecord': 'record',
  '/pages/race/PredictionResults': 'results',
} as const

/**
 * Shows a visitor the opening texts of some screens before their code is loaded; other screens
 * start with the placeholder.
 */
function greet(): void {
  const [place, block] = [document.querySelector('.first-hero'), document.querySelector('.first-main i')]
  if (!place || !block || !(path() in GREETINGS) || onDevice.read('Access-Token') !== null) return
  const screen = GREETINGS[path() as keyof typeof GREETINGS]
  const { title, lead } = opening[language()][screen]
  const [heading, text] = [document.createElement('b'), document.createElement('p')]
  heading.textContent = title
  text.textContent = lead
  for (const element of [heading, text]) element.setAttribute('lang', language())
  if (screen === 'home') place.classList.add('first-home')
  place.append(heading)
  // The text is placed where the screen will have it, so that nothing moves: below its title, or as a notice.
  ;(screen === 'home' || screen === 'tips' ? place : block).append(text)
}

requestAnimationFrame(() =>
  setTimeout(() => {
    // Requests made before the messages are loaded must already use this language.
    document.documentElement.lang = storedLanguage() ?? document.documentElement.lang
    greet()
    start()
  }, 0),
)
