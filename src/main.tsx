import { startTransition, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import './ui/tokens.css'
import { App } from './app/app.tsx'
import { firstScreen } from './app/router.tsx'
import { noteSharer } from './data/device.ts'
import { fetchLocation } from './data/site-calls.ts'
import { firstTexts } from './i18n/language.ts'
import { registerServiceWorker } from './app/service-worker.ts'
import { applyTheme, readTheme } from './ui/theme.ts'

applyTheme(readTheme())
noteSharer()
/** A screen that takes longer comes into a frame that stands already, and says so. */
const FRAME_MS = 5000

async function show(): Promise<void> {
  const late = new Promise((resolve) => setTimeout(resolve, FRAME_MS))
  const [first] = await Promise.all([firstTexts(fetchLocation), Promise.race([firstScreen(), late])])
  if (first !== null) document.documentElement.lang = first.language
  // The page as it came stands until now: nothing is blank in between.
  const root = createRoot(document.getElementById('root')!)
  // A transition is worked at in slices: a slow phone can answer a touch in between.
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
