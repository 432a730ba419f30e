// Entry point of every npm script: installs what is missing, then runs the command.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { ROOT, install, requireNode } from './lib/install.mjs'
import { PROGRAM, buildProgram } from './lib/program.mjs'

requireNode()
const [command, ...rest] = process.argv.slice(2)
install(ROOT)

/** Runs a program in place of this process: signals and the exit code are passed on. */
function become(args, variables = {}) {
  const child = spawn(process.execPath, args, {
    stdio: 'inherit',
    env: { ...process.env, ...variables },
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)))
}

/** Arguments of Node for a TypeScript program. */
const source = (program, ...args) => ['--import', 'tsx', join(ROOT, program), ...args]

switch (command) {
  case 'start': {
    const { buildSite, SITE } = await import('./lib/site.mjs')
    buildSite()
    buildProgram()
    become([PROGRAM, 'serve', '--site', SITE, ...rest])
    break
  }
  case 'dev':
    // Verification codes are included in responses, and /docs lists every call.
    become(source('server/cli.ts', 'serve', ...rest), { NODE_ENV: 'development' })
    spawn(process.execPath, [join(ROOT, 'node_modules/vite/bin/vite.js')], { stdio: 'inherit', cwd: ROOT })
    break
  case 'cli':
    buildProgram()
    become([PROGRAM, ...rest])
    break
  case 'bench': {
    const { buildSite } = await import('./lib/site.mjs')
    if (rest[0] === 'lighthouse') install(join(ROOT, 'bench/lighthouse'))
    // A site that is being served must not be rebuilt underneath its server.
    else buildSite()
    buildProgram()
    become(source('bench/bench.ts', ...rest))
    break
  }
  case 'soak':
  case 'check':
  case 'format':
  case 'test': {
    install(join(ROOT, 'tools'))
    const { check, format, soak, test } = await import('./lib/checks.mjs')
    const ok = await { check, format, soak, test }[command]()
    process.exit(ok ? 0 : 1)
    break
  }
  default:
    process.stderr.write(
      'usage: npm start | npm test | npm run dev|soak|check|format|bench|import|score|demo|admin\n',
    )
    process.exit(2)
}
