import opening from 'virtual:opening'
import { browserLanguage, storedLanguage } from './i18n/likely-language.ts'

/**
 * The page as it came is painted before the code of the site runs: on a slow phone that is the better part of two
 * seconds. It is not fetched before either: page, styles and the first picture have a slow line for themselves.
 */
const KEY = 'furlong-boot-reload'
const AGAIN_AFTER_MS = 60_000

function start(): void {
  import('./main.tsx').catch(() => {
    // A build that is gone: the page is asked anew, once a minute at most.
    if (Date.now() - Number(sessionStorage.getItem(KEY) ?? 0) < AGAIN_AFTER_MS) return
    sessionStorage.setItem(KEY, String(Date.now()))
    location.reload()
  })
}

/** Screens whose words for a visitor are known before their code is there, by their path. */
const SCREENS = {
  '': 'home',
  '/': 'home',
  '/pages/race/WinLossRecord': 'record',
  '/pages/race/PredictionResults': 'results',
} as const

/** A visitor's first words of some screens stand before their code is there; other screens begin with their own. */
function greet(): void {
  const [place, block] = [document.querySelector('.first-hero'), document.querySelector('.first-main i')]
  const path = location.hash.slice(1).split('?')[0]!
  if (!place || !block || !(path in SCREENS) || localStorage.getItem('Access-Token') !== null) return
  const screen = SCREENS[path as keyof typeof SCREENS]
  const language = storedLanguage() ?? browserLanguage()
  const { title, lead } = opening[language][screen]
  const [heading, text] = [document.createElement('b'), document.createElement('p')]
  heading.textContent = title
  text.textContent = lead
  for (const element of [heading, text]) element.setAttribute('lang', language)
  place.append(heading)
  // The longer ones stand where a notice will: nothing moves for them.
  ;(screen === 'home' ? place : block).append(text)
}

requestAnimationFrame(() =>
  setTimeout(() => {
    // What is asked before the texts are there is answered in it.
    document.documentElement.lang = storedLanguage() ?? document.documentElement.lang
    greet()
    start()
  }, 0),
)
