import { spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { fail } from './install.mjs'

const hasPostgresql = () =>
  Boolean(process.env.POSTGRESQL_BIN) ||
  (existsSync('/usr/lib/postgresql') && readdirSync('/usr/lib/postgresql').length > 0)
const hasChromium = () =>
  [process.env.CHROMIUM_PATH, '/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].some(
    (path) => path && existsSync(path),
  )
const hasPgBouncer = () =>
  [process.env.PGBOUNCER_PATH, '/usr/sbin/pgbouncer'].some((path) => path && existsSync(path))
const hasS3 = () => existsSync('/usr/bin/radosgw')
const hasNginx = () => existsSync('/usr/sbin/nginx')
const hasChineseFont = () => existsSync('/usr/share/fonts/opentype/noto') || process.platform !== 'linux'

/** `isExtra` marks what only tests outside the fast cut need; without it they are skipped and say so. */
const NEEDS = [
  { name: 'a browser', has: hasChromium, packages: ['chromium-headless-shell'], hint: 'set CHROMIUM_PATH' },
  { name: 'PostgreSQL', has: hasPostgresql, packages: ['postgresql'], hint: 'set POSTGRESQL_BIN' },
  { name: 'a Chinese font', has: hasChineseFont, packages: ['fonts-noto-cjk'], hint: '' },
  { name: 'PgBouncer', has: hasPgBouncer, packages: ['pgbouncer'], isExtra: true },
  // Ceph's gateway, which tests start themselves.
  {
    name: 'an S3 server',
    has: hasS3,
    packages: ['radosgw', 'ceph-osd', 'ceph-mon', 'ceph-common'],
    isExtra: true,
  },
  // The load balancer of docs/operating.md.
  { name: 'nginx', has: hasNginx, packages: ['nginx-light'], isExtra: true },
]

/**
 * Installs the system packages that tests need, on Debian as root; elsewhere exits with one line that says what is
 * missing. `withExtras` says whether tests outside the fast cut run.
 */
export async function ensureSystem({ withExtras }) {
  const missing = NEEDS.filter(({ has, isExtra }) => (withExtras || !isExtra) && !has())
  const needed = missing.filter(({ isExtra }) => !isExtra)
  const mayInstall = existsSync('/usr/bin/apt-get') && process.getuid?.() === 0
  if (!mayInstall && needed.length > 0) {
    const hints = needed.flatMap(({ hint }) => (hint ? [hint] : [])).join(', ')
    fail(
      `the tests need ${needed.map(({ name }) => name).join(', ')}: install ${needed.flatMap((need) => need.packages).join(' ')}${hints ? `, or ${hints}` : ''}`,
    )
  }
  if (!mayInstall || missing.length === 0) return
  process.stderr.write(`installing ${missing.map(({ name }) => name).join(', ')}…\n`)
  await apt('-qq', 'update')
  for (const { packages, isExtra } of missing) {
    if (await apt('-qq', '-y', '--no-install-recommends', 'install', ...packages)) continue
    const problem = `${packages.join(' ')} could not be installed`
    if (!isExtra) fail(problem)
    process.stderr.write(`${problem}: its tests are skipped\n`)
  }
}

/** Whether a command of apt-get succeeded. */
const apt = (...args) =>
  new Promise((resolve) => {
    spawn('apt-get', args, {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    })
      .once('error', () => resolve(false))
      .once('exit', (status) => resolve(status === 0))
  })
