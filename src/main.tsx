import { startTransition, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import './ui/tokens.css'
import './ui/latin-fallback.css'
import { FIRST_TEXTS } from './app/first-texts.ts'
import { App } from './app/app.tsx'
import { firstScreen } from './app/router.tsx'
import { noteSharer } from './data/client/device.ts'
import { registerServiceWorker } from './app/service-worker.ts'
import { fetchLatinFont } from './ui/behaviour/latin-font.ts'
import { applyTheme, readTheme } from './ui/behaviour/theme.ts'

applyTheme(readTheme())
fetchLatinFont()
noteSharer()
/** A slower screen is rendered later, into a frame that already shows and says that it is loading. */
const FRAME_MS = 5000

async function show(): Promise<void> {
  const late = new Promise((resolve) => setTimeout(resolve, FRAME_MS))
  const [first] = await Promise.all([FIRST_TEXTS, Promise.race([firstScreen(), late])])
  if (first !== null) document.documentElement.lang = first.language
  // The static page stays until now, so that nothing is blank in between.
  const root = createRoot(document.getElementById('root')!)
  // A transition renders in slices, so that a slow phone can respond to a touch in between.
  startTransition(() =>
    root.render(
      <StrictMode>
        <App first={first} />
      </StrictMode>,
    ),
  )
}

void show()
if (import.meta.env.PROD) registerServiceWorker()
