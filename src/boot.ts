import opening from 'virtual:opening'
import { browserLanguage, storedLanguage } from './i18n/likely-language.ts'
import { inTab, onDevice } from './storage/stored-text.ts'

/**
 * The static page is painted before the application code runs, which on a slow phone takes almost two
 * seconds. The code is not fetched earlier either, so that the page, styles and first picture do not share a
 * slow connection with it.
 */
const KEY = 'furlong-boot-reload'
const AGAIN_AFTER_MS = 60_000

function start(): void {
  import('./main.tsx').catch(() => {
    // The build no longer exists on the server: reload the page, at most once a minute.
    if (Date.now() - Number(inTab.read(KEY) ?? 0) < AGAIN_AFTER_MS) return
    // Without storage the page would reload for ever.
    if (inTab.write(KEY, String(Date.now()))) location.reload()
  })
}

/** Screens whose opening texts for a visitor are known before their code is loaded, by path. */
const SCREENS = {
  '': 'home',
  '/': 'home',
  '/pages/race/WinLossRecord': 'record',
  '/pages/race/PredictionResults': 'results',
} as const

/**
 * Shows a visitor the opening texts of some screens before their code is loaded; other screens
 * start with the placeholder.
 */
function greet(): void {
  const [place, block] = [document.querySelector('.first-hero'), document.querySelector('.first-main i')]
  const path = location.hash.slice(1).split('?')[0]!
  if (!place || !block || !(path in SCREENS) || onDevice.read('Access-Token') !== null) return
  const screen = SCREENS[path as keyof typeof SCREENS]
  const language = storedLanguage() ?? browserLanguage()
  const { title, lead } = opening[language][screen]
  const [heading, text] = [document.createElement('b'), document.createElement('p')]
  heading.textContent = title
  text.textContent = lead
  for (const element of [heading, text]) element.setAttribute('lang', language)
  if (screen === 'home') place.classList.add('first-home')
  place.append(heading)
  // The longer text is placed where a notice will appear, so that nothing moves.
  ;(screen === 'home' ? place : block).append(text)
}

requestAnimationFrame(() =>
  setTimeout(() => {
    // Requests made before the messages are loaded must already use this language.
    document.documentElement.lang = storedLanguage() ?? document.documentElement.lang
    greet()
    start()
  }, 0),
)
