import { readFileSync, readdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { compileFunction } from 'node:vm'
import { transformWithOxc } from 'vite'
import { describe, expect, test } from 'vitest'

const PACKAGES = ['analytics', 'contract', 'workers'] as const

/** All TypeScript files below a folder. */
const sourcesOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.endsWith('.d.ts'))
    .map((name) => join(folder, name))

/** The function or constant that a comment belongs to, with the code of the comment's example. */
const EXAMPLE = /```ts\n((?: \* .*\n)+?) \* ```\n \*\/\nexport (?:async )?(?:function|const|class) (\w+)/g

interface Example {
  file: string
  name: string
  lines: string[]
}

const EXAMPLES: Example[] = PACKAGES.flatMap(sourcesOf).flatMap((file) =>
  [...readFileSync(file, 'utf8').matchAll(EXAMPLE)].map(([, code, name]) => ({
    file,
    name: name!,
    lines: code!.split('\n').flatMap((line) => (line === '' ? [] : [line.replace(/^ \* /, '')])),
  })),
)

/** The code of the packages' README files. */
const README_EXAMPLES: Example[] = ['domain', 'contract', 'analytics', 'workers', 'src', 'server'].flatMap(
  (folder) => {
    const file = join(folder, 'README.md')
    return [...readFileSync(file, 'utf8').matchAll(/```ts\n([\s\S]+?)```/g)].map(([, code]) => ({
      file,
      name: 'its README',
      lines: code!.split('\n').filter((line) => line !== ''),
    }))
  },
)

/** Runs an example with the exports of its file in scope; compares each `expression // => value`. */
async function run({ file, lines }: Example): Promise<number> {
  const own = file.endsWith('.md') ? {} : await import(pathToFileURL(resolve(file)).href)
  const scope: Record<string, unknown> = { ...own, expect }
  const statements: string[] = []
  let compared = 0
  for (const line of lines) {
    const imported = /^import \{ (.+) \} from '(.+)'$/.exec(line)
    const claim = /^(.*) \/\/ => (.*)$/.exec(line)
    if (imported) {
      const found = await import(pathToFileURL(resolve(dirname(file), imported[2]!)).href)
      for (const name of imported[1]!.split(', ')) scope[name] = found[name]
    } else if (claim) {
      compared += 1
      statements.push(`expect(${claim[1]}).toEqual(${claim[2]})`)
    } else statements.push(line)
  }
  const { code } = await transformWithOxc(
    `async function example() {\n${statements.join('\n')}\n}`,
    'example.ts',
  )
  const names = Object.keys(scope).filter((name) => /^[A-Za-z_$][\w$]*$/.test(name) && name !== 'default')
  const example = compileFunction(`${code}\nreturn example()`, names)
  await example(...names.map((name) => scope[name]))
  return compared
}

describe('every example in a comment or a README of a package holds', () => {
  test.each([...EXAMPLES, ...README_EXAMPLES])('$file $name', async (example) => {
    expect(await run(example)).toBeGreaterThan(0)
  })
})

/** What the imports of a text name, as path and name. */
function importsOf(file: string): { from: string; names: string[] }[] {
  const found = readFileSync(file, 'utf8').matchAll(/import \{([^}]*)\} from '(\.[^']+)'/g)
  return [...found].map(([, names, from]) => ({
    from: join(dirname(file), from!),
    names: names!
      .split(',')
      .map((name) => name.trim().split(' as ')[0]!)
      .filter((name) => name !== '' && !name.startsWith('type ')),
  }))
}

test('every function that another package imports from these has an example', () => {
  const others = ['domain', 'contract', 'analytics', 'workers', 'src', 'server'].flatMap(sourcesOf)
  const imported = others.flatMap((file) =>
    importsOf(file)
      .filter(({ from }) =>
        PACKAGES.some((name) => from.startsWith(`${name}/`) && !file.startsWith(`${name}/`)),
      )
      // The parts of the record's page that alerts share with it: only a whole view shows what they are.
      .filter(({ from }) => !from.startsWith('analytics/view/'))
      .flatMap(({ from, names }) => names.map((name) => ({ from, name }))),
  )
  const isFunction = ({ from, name }: { from: string; name: string }): boolean =>
    new RegExp(
      `^export (?:async )?function \\*?${name}\\b|^export const ${name} = (?:async )?(?:<[^>]*>)?\\(`,
      'm',
    ).test(readFileSync(from, 'utf8'))
  const functions = new Set(imported.filter(isFunction).map(({ from, name }) => `${from} ${name}`))
  expect(functions.size).toBeGreaterThan(40)
  const shown = new Set(EXAMPLES.map(({ file, name }) => `${file} ${name}`))
  expect([...functions].filter((each) => !shown.has(each)).toSorted()).toEqual([])
})
