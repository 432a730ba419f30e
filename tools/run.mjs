// Entry point of every npm script: installs what is missing, then runs the command.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { ROOT, install, installBeside, requireNode } from './lib/install.mjs'
import { COMMAND, PROGRAM, buildProgram } from './lib/program.mjs'
import { ensureSystem } from './lib/system.mjs'

/** The cut of each command that runs tests. */
const CUTS = { test: 'fast', 'test:rest': 'rest', 'test:all': 'all', 'test:changed': 'all', soak: 'soak' }

requireNode()
const [command, ...rest] = process.argv.slice(2)
const cut = CUTS[command]
/** Installs what the tests of the cut need beside everything else: it mostly waits for the network. */
const system = cut === undefined ? undefined : ensureSystem({ withExtras: cut !== 'fast' })
if (cut === undefined) install(ROOT)
else await Promise.all([installBeside(ROOT), installBeside(join(ROOT, 'tools'))])

/** Runs a program in place of this process: signals and the exit code are passed on. */
function become(args, variables = {}, stdio = 'inherit') {
  const child = spawn(process.execPath, args, {
    stdio,
    env: { ...process.env, ...variables },
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)))
  return child
}

/** Arguments of Node for a TypeScript program. */
const source = (program, ...args) => ['--import', 'tsx', join(ROOT, program), ...args]

switch (command) {
  case 'start': {
    const { buildSiteUntilUsable, isSiteBuilt, SITE } = await import('./lib/site.mjs')
    const serve = [PROGRAM, 'serve', '--site', SITE, ...rest]
    if (isSiteBuilt()) {
      buildProgram()
      become(serve)
      break
    }
    // The server prepares its data meanwhile, and listens when the site is there.
    const usable = buildSiteUntilUsable()
    buildProgram()
    const server = become([...serve, '--await-site'], {}, ['inherit', 'inherit', 'inherit', 'ipc'])
    process.on('exit', () => server.kill())
    await usable
    if (server.connected) server.send('site', () => server.disconnect())
    break
  }
  case 'dev': {
    // Verification codes are included in responses, and /docs lists every call. The server starts again when one of its
    // files changes.
    become(['--watch', '--watch-preserve-output', ...source('server/cli.ts', 'serve', ...rest)], {
      NODE_ENV: 'development',
    })
    const site = spawn(process.execPath, [join(ROOT, 'node_modules/vite/bin/vite.js')], {
      stdio: 'inherit',
      cwd: ROOT,
    })
    process.on('exit', () => site.kill())
    break
  }
  case 'cli':
    buildProgram()
    become(rest.includes('work') || rest.includes('serve') ? [PROGRAM, ...rest] : [...COMMAND, ...rest])
    break
  case 'bench': {
    const { buildSite } = await import('./lib/site.mjs')
    // What is measured with, or beside, has packages of its own.
    if (['lighthouse', 'peer'].includes(rest[0])) install(join(ROOT, 'bench', rest[0]))
    // A site that is being served must not be rebuilt underneath its server.
    if (!rest.includes('--url')) buildSite()
    buildProgram()
    become(source('bench/bench.ts', ...rest))
    break
  }
  case 'try:additions':
    become([join(ROOT, 'tools/try-additions.mjs')])
    break
  case 'check':
  case 'format': {
    install(join(ROOT, 'tools'))
    const { check, format } = await import('./lib/checks.mjs')
    const ok = await { check, format }[command]()
    process.exit(ok ? 0 : 1)
    break
  }
  case 'test':
  case 'test:rest':
  case 'test:all':
  case 'soak': {
    const { runCut } = await import('./lib/test-runs.mjs')
    process.exit((await runCut(cut, system, rest)) ? 0 : 1)
    break
  }
  case 'test:changed': {
    const { runChanged } = await import('./lib/test-runs.mjs')
    process.exit((await runChanged(system)) ? 0 : 1)
    break
  }
  default:
    process.stderr.write(
      'usage: npm start | npm test | npm run dev|check|format|try:additions|test:rest|test:all|test:changed|soak|bench|import|score|demo|admin\n',
    )
    process.exit(2)
}
