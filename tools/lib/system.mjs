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

const NEEDS = [
  { name: 'a browser', has: hasChromium, packages: ['chromium-headless-shell'], hint: 'set CHROMIUM_PATH' },
  { name: 'PostgreSQL', has: hasPostgresql, packages: ['postgresql'], hint: 'set POSTGRESQL_BIN' },
  { name: 'PgBouncer', has: hasPgBouncer, packages: ['pgbouncer'], hint: 'set PGBOUNCER_PATH' },
  // Ceph's gateway, which tests start themselves; without it they are skipped and say so.
  {
    name: 'an S3 server',
    has: hasS3,
    packages: ['radosgw', 'ceph-osd', 'ceph-mon', 'ceph-common'],
    optional: true,
  },
  // The load balancer of docs/operating.md; without it one test is skipped.
  { name: 'nginx', has: hasNginx, packages: ['nginx-light'], optional: true },
  { name: 'a Chinese font', has: hasChineseFont, packages: ['fonts-noto-cjk'], hint: '' },
]

/**
 * Installs the system packages that tests need, on Debian as root; elsewhere exits with one line that says what is
 * missing. Returns whether they are there. Tests of optional ones are skipped without them.
 */
export async function ensureSystem() {
  const missing = NEEDS.filter(({ has }) => !has())
  const needed = missing.filter(({ optional }) => !optional)
  const mayInstall = existsSync('/usr/bin/apt-get') && process.getuid?.() === 0
  if (!mayInstall && needed.length > 0) {
    const hints = needed.flatMap(({ hint }) => (hint ? [hint] : [])).join(', ')
    fail(
      `the tests need ${needed.map(({ name }) => name).join(', ')}: install ${needed.flatMap((need) => need.packages).join(' ')}${hints ? `, or ${hints}` : ''}`,
    )
  }
  if (!mayInstall || missing.length === 0) return true
  process.stderr.write(`installing ${missing.map(({ name }) => name).join(', ')}…\n`)
  await apt('-qq', 'update')
  for (const { packages, optional } of missing) {
    if (await apt('-qq', '-y', '--no-install-recommends', 'install', ...packages)) continue
    const told = `${packages.join(' ')} could not be installed`
    process.stderr.write(optional ? `${told}: its tests are skipped\n` : `furlong: ${told}\n`)
    if (!optional) return false
  }
  return true
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
