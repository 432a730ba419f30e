import { existsSync } from 'node:fs'

/** Browsers as Debian packages them; the shell is Chromium without its windows. */
export const WHOLE_BROWSER = '/usr/bin/chromium'
export const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell'

/** The browser that `CHROMIUM_PATH` names; without it the first of `paths` that is installed. */
export const installedBrowser = (...paths: readonly [string, ...string[]]): string =>
  process.env['CHROMIUM_PATH'] ?? paths.find((path) => existsSync(path)) ?? paths[0]

export const CHROMIUM = {
  executablePath: installedBrowser(WHOLE_BROWSER, HEADLESS_SHELL),
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
}
