import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { readSettings, VARIABLES } from '../../server/process/env.ts'

const read = (name: string): string => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8')

/** The texts of an instruction in the last stage of the Dockerfile, in order. */
const instructions = (name: string): string[] =>
  [
    ...read('Dockerfile')
      .split(/^(?=FROM )/m)
      .at(-1)!
      .matchAll(new RegExp(`^${name} (.+)$`, 'gm')),
  ].map(([, text]) => text!)

/** The YAML parser of a dependency; the project itself needs none. */
const parseYaml = (text: string): unknown =>
  (createRequire(import.meta.resolve('@fastify/swagger'))('yaml') as { parse(of: string): unknown }).parse(
    text,
  )

interface Compose {
  services: Record<
    'database' | 'furlong',
    {
      image?: string
      read_only?: boolean
      cap_drop?: string[]
      cap_add?: string[]
      security_opt?: string[]
      environment: Record<string, string>
      volumes: string[]
      ports?: string[]
      depends_on?: Record<string, unknown>
    }
  >
  volumes: Record<string, unknown>
}

test('the image has a Node that the package allows, known variables, and one folder of data', () => {
  const { engines } = JSON.parse(read('package.json')) as { engines: { node: string } }
  const least = Number(/\d+/.exec(engines.node)![0])
  const images = [...read('Dockerfile').matchAll(/^FROM node:(\d+)[.\d]*-/gm)].map(([, major]) =>
    Number(major),
  )
  expect(images).toHaveLength(2)
  for (const major of images) expect(major).toBeGreaterThanOrEqual(least)
  const environment = Object.fromEntries(
    instructions('ENV').flatMap((text) => text.split(' ').map((pair) => pair.split('='))),
  ) as Record<string, string>
  for (const name of Object.keys(environment)) expect(VARIABLES).toContain(name)
  expect(instructions('VOLUME')).toEqual([environment['FURLONG_DATA']])
  expect(instructions('EXPOSE')).toEqual([environment['PORT']])
  expect(instructions('HEALTHCHECK')[0]).toContain('--start-period')
  expect(instructions('HEALTHCHECK')[0]).toContain(`:${environment['PORT']}/readyz`)
})

/** The PostgreSQL of each Debian, whose client the image installs. */
const POSTGRESQL_OF: Readonly<Record<string, string>> = { bookworm: '15', trixie: '17' }
const DIGEST = /@sha256:[0-9a-f]{64}$/

test('the image’s pg_dump is of the major version of the database beside it', () => {
  const { database } = (parseYaml(read('compose.yaml')) as Compose).services
  const server = /^postgres:(\d+)\./.exec(database.image!)![1]
  const client = /postgresql-client-(\d+)/.exec(instructions('RUN').join('\n'))?.[1]
  expect(client).toBe(server)
  // The distribution of the image offers that version and no other.
  const [, distribution] = /^FROM node:[\d.]+-(\w+)-slim@/m.exec(read('Dockerfile'))!
  expect(POSTGRESQL_OF[distribution!]).toBe(client)
})

test('images are pinned, and containers can neither write to their image nor gain rights', () => {
  const { services } = parseYaml(read('compose.yaml')) as Compose
  const images = [...read('Dockerfile').matchAll(/^FROM (\S+)/gm)].map(([, image]) => image!)
  for (const image of [...images, services.database.image!]) expect(image).toMatch(DIGEST)
  for (const [name, service] of Object.entries(services)) {
    expect(service.read_only, name).toBe(true)
    expect(service.cap_drop, name).toEqual(['ALL'])
    expect(service.security_opt, name).toEqual(['no-new-privileges:true'])
  }
  expect(services.furlong.cap_add).toBeUndefined()
})

test('secrets do not come into a layer of the build, and what protects a public site can be set', () => {
  expect(read('.dockerignore').split('\n')).toContain('.env')
  const { furlong } = (parseYaml(read('compose.yaml')) as Compose).services
  for (const name of ['FURLONG_HTTPS', 'FURLONG_METRICS_TOKEN', 'FURLONG_TRUST_PROXY', 'FURLONG_SMS'])
    expect(Object.keys(furlong.environment)).toContain(name)
})

test('the image has the licence texts of what it contains', () => {
  const copied = instructions('COPY').join('\n')
  expect(copied).toContain('/app/LICENSE')
  expect(copied).toContain('licences.txt')
  // The packages that only tests and builds need are gone before the texts are collected and the others are copied.
  expect(read('Dockerfile')).toMatch(/npm prune --omit=dev[\s\S]*tools\/licences\.mjs/)
})

/** What the first stage of the Dockerfile makes, by the command that makes it. */
const MADE: Readonly<Record<string, string>> = {
  node_modules: 'npm ci',
  'dist/program': 'buildProgram()',
  'dist/licences.txt': 'tools/licences.mjs',
  'dist/site': 'buildSite()',
}

test('what the image copies is in the repository and not ignored, or made in its first stage', () => {
  const ignored = read('.dockerignore').split('\n').filter(Boolean)
  // Patterns would need the rules of the container engine.
  for (const entry of ignored) expect(entry).toMatch(/^[\w./-]+$/)
  const isIgnored = (path: string): boolean =>
    ignored.some((entry) => path === entry || path.startsWith(`${entry}/`))
  const [, first] = read('Dockerfile').split(/^(?=FROM )/m)
  const copied = instructions('COPY').map((text) => /^--from=build \/app\/(\S+) \.\/(\S*)$/.exec(text)!)
  expect(copied.map(([, from]) => from)).toEqual(expect.arrayContaining(Object.keys(MADE)))
  for (const [, from, to] of copied) {
    if (to !== '' && to !== from!.split('/').at(-1)) expect(to).toBe(from)
    const command = MADE[from!]
    if (command === undefined) {
      expect(existsSync(new URL(`../../${from}`, import.meta.url)), from).toBe(true)
      expect(isIgnored(from!), from).toBe(false)
    } else {
      expect(first).toContain(command)
      // What a machine built before must not come into the image.
      expect(isIgnored(from!), from).toBe(true)
    }
  }
  const [given] = [...first!.matchAll(/^COPY (.+) \.\/$/gm)].map(([, names]) => names!.split(' '))
  expect(given).toContain('package-lock.json')
  for (const name of given!) {
    expect(existsSync(new URL(`../../${name}`, import.meta.url)), name).toBe(true)
    expect(isIgnored(name), name).toBe(false)
  }
})

test('compose.yaml sets known variables, which make valid settings, and its volumes and port are there', () => {
  const { services, volumes } = parseYaml(read('compose.yaml')) as Compose
  expect(Object.keys(services).toSorted()).toEqual(['database', 'furlong'])
  const { database, furlong } = services
  for (const [name, value] of Object.entries(furlong.environment)) {
    expect(VARIABLES).toContain(name)
    for (const [, variable] of value.matchAll(/\$\{(\w+)/g))
      if (name !== 'DATABASE_URL') expect(variable).toBe(name)
  }
  const secret = 'a secret of a test, forty characters long'
  /** Values as compose writes them: unset variables are empty, and those marked `:?` must be set. */
  const given: Record<string, string> = {
    FURLONG_DATABASE_PASSWORD: 'password',
    FURLONG_SECRET: secret,
    FURLONG_CARD_KEY: secret,
  }
  const filled = Object.fromEntries(
    Object.entries(furlong.environment).map(([name, value]) => [
      name,
      value.replaceAll(/\$\{(\w+)(?::([?-])([^}]*))?\}/g, (_, variable: string, kind?: string, text = '') => {
        if (kind === '?') expect(given, `${variable} is required`).toHaveProperty(variable)
        return given[variable] ?? (kind === '-' ? text : '')
      }),
    ]),
  )
  const settings = readSettings({ NODE_ENV: 'production', ...filled })
  expect(settings).toMatchObject({ https: true, trustProxy: 'uniquelocal', sms: 'off' })
  const { hostname, username, pathname } = new URL(settings.databaseUrl!)
  expect([hostname, username, pathname.slice(1)]).toEqual([
    'database',
    database.environment['POSTGRES_USER'],
    database.environment['POSTGRES_DB'],
  ])
  expect(Object.keys(furlong.depends_on!)).toEqual(['database'])
  expect(furlong.ports!.map((each) => each.split(':').at(-1))).toEqual(instructions('EXPOSE'))
  const used = Object.values(services).flatMap((service) =>
    service.volumes.map((volume) => volume.split(':')[0]!),
  )
  expect(used.toSorted()).toEqual(Object.keys(volumes).toSorted())
})
