import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, join, posix } from 'node:path'
import { expect, inject, test } from 'vitest'
import { freePort } from '../support/postgresql-server.ts'
import { ROOT } from '../support/server-process.ts'
import { buildDataset } from '../../server/dataset/build.ts'
import { readSettings, VARIABLES } from '../../server/process/env.ts'
import { newSmallSeason } from '../support/api.ts'
import { newFolder } from '../support/databases.ts'
import { readCopy, readEnv, readStages, type Instruction } from '../support/dockerfile.ts'

/** No container engine runs here, so the steps of the image are carried out in a temporary folder. */

const DOCKERFILE = readFileSync(join(ROOT, 'Dockerfile'), 'utf8')
const COMPOSE = readFileSync(join(ROOT, 'compose.yaml'), 'utf8')
const IGNORED = readFileSync(join(ROOT, '.dockerignore'), 'utf8')
  .split('\n')
  .filter((line) => line !== '')
const SECRET = 'a secret of a test, forty characters long'

/** The YAML parser of a dependency; the project itself needs none. */
const parseYaml = (text: string): unknown =>
  (createRequire(import.meta.resolve('@fastify/swagger'))('yaml') as { parse(of: string): unknown }).parse(
    text,
  )

/** The file system of one stage: its root folder, working directory and environment. */
class Image {
  readonly root = newFolder()
  directory = '/'
  readonly environment: Record<string, string> = {}

  at(path: string): string {
    return join(this.root, posix.resolve(this.directory, path))
  }

  apply({ name, text }: Instruction, stages: ReadonlyMap<string, Image>): void {
    switch (name) {
      case 'WORKDIR':
        this.directory = text
        mkdirSync(this.at('.'), { recursive: true })
        return
      case 'ENV':
        Object.assign(this.environment, readEnv(text))
        return
      case 'COPY':
        return this.copy(text, stages)
      case 'RUN':
        return this.run(text)
      default:
        expect(['USER', 'VOLUME', 'EXPOSE', 'HEALTHCHECK', 'CMD']).toContain(name)
    }
  }

  private copy(text: string, stages: ReadonlyMap<string, Image>): void {
    const { from, sources, target } = readCopy(text)
    for (const source of sources) {
      const path = from === null ? join(ROOT, source) : stages.get(from)!.at(source)
      expect(existsSync(path), `COPY ${source}`).toBe(true)
      const to = target.endsWith('/') ? join(this.at(target), basename(path)) : this.at(target)
      cpSync(path, to, {
        recursive: true,
        verbatimSymlinks: true,
        filter: (each) => from !== null || !isIgnored(each),
      })
    }
  }

  private run(command: string): void {
    if (command.startsWith('npm ci')) {
      // The installed packages are those of the lock file (tests/unit/install-lock.test.ts): nothing is fetched.
      for (const file of ['package.json', 'package-lock.json', '.npmrc'])
        expect(existsSync(this.at(file)), file).toBe(true)
      symlinkSync(join(ROOT, 'node_modules'), this.at('node_modules'))
      return
    }
    if (command.startsWith('apt-get')) {
      // Packages of the system are not installed by a test; the programs that they bring are here.
      expect(command).toContain('postgresql-client')
      for (const program of ['pg_dump', 'pg_restore'])
        expect(spawnSync(program, ['--version']).status).toBe(0)
      return
    }
    // The site is taken from this folder if it was built from the same sources; otherwise the step builds it.
    if (command.includes('buildSite') && existsSync(join(ROOT, 'dist/site-fingerprint')))
      for (const part of ['site', 'site-fingerprint'])
        cpSync(join(ROOT, 'dist', part), this.at(join('dist', part)), { recursive: true })
    // Paths of the image's root are those of this folder, and its user is the one that runs the test.
    const here = command
      .replaceAll(/(?<=\s)\/(?=\w)/g, `${this.root}/`)
      .replaceAll('chown node:node', `chown ${process.getuid!()}:${process.getgid!()}`)
    execFileSync('sh', ['-c', here], { cwd: this.at('.'), stdio: 'pipe' })
  }
}

const isIgnored = (path: string): boolean =>
  IGNORED.some((name) => path === join(ROOT, name) || path.startsWith(join(ROOT, name, '/')))

test('the image’s steps make a folder in which its command serves the site, and its health check passes', async () => {
  const stages = readStages(DOCKERFILE)
  const { engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    engines: { node: string }
  }
  const least = Number(/\d+/.exec(engines.node)![0])
  const images = new Map<string, Image>()
  let image = new Image()
  for (const stage of stages) {
    expect(Number(/^node:(\d+)-/.exec(stage.image)?.[1])).toBeGreaterThanOrEqual(least)
    image = new Image()
    for (const instruction of stage.instructions) image.apply(instruction, images)
    images.set(stage.name, image)
  }
  const last = stages.at(-1)!.instructions
  const textOf = (name: string): string => last.find((each) => each.name === name)!.text
  const data = image.environment['FURLONG_DATA']!
  expect(textOf('VOLUME')).toBe(data)
  expect(textOf('EXPOSE')).toBe(image.environment['PORT'])
  expect(existsSync(image.at(data))).toBe(true)
  for (const name of Object.keys(image.environment)) expect(VARIABLES, name).toContain(name)
  // What only tests and tools need is not in the image.
  for (const name of ['tests', 'tools', 'src', 'workers', '.git'])
    expect(existsSync(image.at(name)), name).toBe(false)

  const place = await newSmallSeason('postgresql', new Date())
  await buildDataset(place.database, image.at(data))
  const port = await freePort()
  const environment = {
    PATH: process.env['PATH'],
    ...image.environment,
    FURLONG_DATA: image.at(data),
    HOST: '127.0.0.1',
    PORT: String(port),
    DATABASE_URL: place.databaseUrl!,
    FURLONG_SECRET: SECRET,
    FURLONG_CARD_KEY: SECRET,
  }
  const [program, ...args] = JSON.parse(textOf('CMD')) as [string, ...string[]]
  expect(program).toBe('node')
  const server = spawn(process.execPath, args, { cwd: image.at('.'), env: environment })
  let printed = ''
  for (const stream of [server.stdout, server.stderr])
    stream.on('data', (chunk: Buffer) => (printed += chunk.toString()))
  const ended = new Promise<number | null>((resolve) => server.once('exit', resolve))
  try {
    await expect.poll(() => `${printed}${server.exitCode ?? ''}`, { timeout: 120_000 }).toMatch(/\nready\n/)
    const base = `http://127.0.0.1:${port}`
    const page = await fetch(`${base}/`)
    expect(page.status).toBe(200)
    expect(await page.text()).toContain('<div id="root">')
    const ready = await fetch(`${base}/readyz`)
    expect(ready.status).toBe(200)
    expect(await ready.json()).toMatchObject({ database: 'postgresql', migrations: 'current' })
    const [, options, check] = /^(.*?)CMD (\[.*\])$/.exec(textOf('HEALTHCHECK'))!
    expect(options).toContain('--start-period')
    const [, ...words] = JSON.parse(check!) as string[]
    expect(words.join(' ')).toContain(`:${image.environment['PORT']}/readyz`)
    const healthy = words.map((word) => word.replace(`:${image.environment['PORT']}/`, `:${port}/`))
    expect(spawnSync(process.execPath, healthy).status).toBe(0)
  } finally {
    server.kill('SIGTERM')
  }
  expect(await ended, printed).toBe(0)
  await place.close()
})

interface Compose {
  services: Record<
    string,
    {
      environment: Record<string, string>
      volumes: string[]
      ports?: string[]
      depends_on?: Record<string, unknown>
      healthcheck?: { test: string[] }
    }
  >
  volumes: Record<string, unknown>
}

test('compose.yaml parses, and its variables and programs are there', () => {
  const { services, volumes } = parseYaml(COMPOSE) as Compose
  expect(Object.keys(services).toSorted()).toEqual(['database', 'furlong'])
  const { database, furlong } = services as {
    database: Compose['services'][string]
    furlong: Compose['services'][string]
  }
  for (const name of Object.keys(furlong.environment)) expect(VARIABLES, name).toContain(name)
  for (const [name, value] of Object.entries(furlong.environment))
    for (const [, variable] of value.matchAll(/\$\{(\w+)/g))
      if (name !== 'DATABASE_URL') expect(variable).toBe(name)
  /** Values as compose writes them: unset variables are empty, and those marked `:?` must be set. */
  const given: Record<string, string> = {
    FURLONG_DATABASE_PASSWORD: 'password',
    FURLONG_SECRET: SECRET,
    FURLONG_CARD_KEY: SECRET,
  }
  const filled = Object.fromEntries(
    Object.entries(furlong.environment).map(([name, value]) => [
      name,
      value.replaceAll(/\$\{(\w+)(?::([?-])[^}]*)?\}/g, (_, variable: string, kind: string | undefined) => {
        if (kind === '?') expect(given, `${variable} is required`).toHaveProperty(variable)
        return given[variable] ?? ''
      }),
    ]),
  )
  const settings = readSettings({ NODE_ENV: 'production', ...filled })
  const { hostname, username, pathname } = new URL(settings.databaseUrl!)
  expect([hostname, username, pathname.slice(1)]).toEqual([
    'database',
    database.environment['POSTGRES_USER'],
    database.environment['POSTGRES_DB'],
  ])
  expect(Object.keys(furlong.depends_on!)).toEqual(['database'])
  const [, program = '', ...args] = database.healthcheck!.test
  expect(spawnSync(program, [...args, '-d', inject('postgresqlUrl')]).status).toBe(0)
  const port = readStages(DOCKERFILE)
    .at(-1)!
    .instructions.find(({ name }) => name === 'EXPOSE')!.text
  expect(furlong.ports!.map((each) => each.split(':').at(-1))).toEqual([port])
  const used = Object.values(services).flatMap((service) =>
    service.volumes.map((volume) => volume.split(':')[0]!),
  )
  expect(used.toSorted()).toEqual(Object.keys(volumes).toSorted())
})
