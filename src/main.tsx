import { startTransition, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import './ui/tokens.css'
import { App } from './app/app.tsx'
import { noteSharer } from './data/device.ts'
import { registerServiceWorker } from './app/service-worker.ts'
import { applyTheme, readTheme } from './ui/theme.ts'

applyTheme(readTheme())
noteSharer()
const root = createRoot(document.getElementById('root')!)
// A transition is worked at in slices: a slow phone can answer a touch in between.
startTransition(() =>
  root.render(
    <StrictMode>
      <App />
    </StrictMode>,
  ),
)
if (import.meta.env.PROD) registerServiceWorker()
