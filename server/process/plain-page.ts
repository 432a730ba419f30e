import type { Language } from '../../domain/languages.ts'

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
export const escapeHtml = (text: string): string => text.replaceAll(/[&<>"]/g, (each) => ENTITIES[each]!)

/** A page without scripts: `title` and `body` are HTML, in which texts are escaped already. */
export const plainPage = (language: Language, title: string, body: string): string => `<!doctype html>
<html lang="${language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="/icon.svg">
<title>${title}</title>
<style>
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 26rem; margin: 3rem auto; padding: 0 1rem }
.amount { font-size: 1.5rem; font-variant-numeric: tabular-nums }
form { display: grid; gap: .75rem }
button { font: inherit; min-height: 44px; border-radius: 8px; border: 1px solid; background: none; color: inherit; cursor: pointer }
a { color: inherit }
.approve { background: #1d4f3f; border-color: #1d4f3f; color: #fff }
</style>
<main>
<h1>${title}</h1>
${body}
</main>
</html>`
