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

requestAnimationFrame(() => setTimeout(start, 0))
