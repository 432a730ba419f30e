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

/** A visitor's first words of the home page stand before its code is there; other screens begin with their own. */
function greet(): void {
  const place = document.querySelector('.first-hero')
  const isHome = location.hash === '' || location.hash === '#/'
  if (!place || !isHome || localStorage.getItem('Access-Token') !== null) return
  const language = storedLanguage() ?? browserLanguage()
  const { title, lead } = opening[language]
  const [heading, text] = [document.createElement('b'), document.createElement('p')]
  heading.textContent = title
  text.textContent = lead
  place.setAttribute('lang', language)
  place.append(heading, text)
}

requestAnimationFrame(() =>
  setTimeout(() => {
    greet()
    start()
  }, 0),
)
