import { readFileSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

/** Use of one style sheet by one module. */
interface Use {
  /** `module: class` of every class that an element is given. */
  given: { at: string; name: string }[]
  /** Every class that is named anywhere in the module. */
  named: string[]
  /** Whether a class is chosen by a value, so that any of the sheet may be meant. */
  chosen: boolean
}

const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).map((name) => join('src', name))

const classesOf = (css: string): string[] =>
  [...css.replaceAll(/\/\*[\s\S]*?\*\/|:global\([^)]*\)/g, '').matchAll(/\.([a-zA-Z][\w-]*)/g)].map(
    ([, name]) => name!,
  )

function useOf(at: string, text: string, sheet: string): Use {
  const named = (part: string): string[] =>
    [...part.matchAll(new RegExp(String.raw`(?<![\w.'/-])${sheet}\.(\w+)`, 'g'))].map(([, name]) => name!)
  const classNames = [...text.matchAll(/className=\{((?:[^{}]|\{[^{}]*\})*)\}/g)].map(([, value]) => value!)
  return {
    given: classNames.flatMap(named).map((name) => ({ at, name })),
    named: named(text),
    chosen: new RegExp(String.raw`(?<![\w.'/-])${sheet}\[`).test(text),
  }
}

/** Every use of every sheet in `src`, by the sheet's path. */
function uses(): Map<string, Use[]> {
  const found = new Map<string, Use[]>(
    files.filter((file) => file.endsWith('.module.css')).map((file) => [file, []]),
  )
  for (const file of files.filter((each) => /\.tsx?$/.test(each))) {
    const text = readFileSync(file, 'utf8')
    for (const [, name, path] of text.matchAll(/^import (\w+) from '(.*\.module\.css)'$/gm))
      found.get(join(dirname(file), path!))!.push(useOf(file, text, name!))
  }
  return found
}

// CSS modules give an element no class, and no error, where the sheet has none of that name.
test('every class that an element is given is in its sheet, and every class of a sheet is used', () => {
  const missing: string[] = []
  const unused: string[] = []
  for (const [sheet, all] of uses()) {
    const classes = classesOf(readFileSync(sheet, 'utf8'))
    for (const { at, name } of all.flatMap(({ given }) => given))
      if (!classes.includes(name)) missing.push(`${at}: ${name}`)
    if (all.some(({ chosen }) => chosen)) continue
    const named = new Set(all.flatMap((use) => use.named))
    unused.push(...classes.filter((name) => !named.has(name)).map((name) => `${sheet}: ${name}`))
  }
  expect(missing).toEqual([])
  expect(unused).toEqual([])
})

test('what is given, named and chosen is found', () => {
  const text = 'const A = <p className={`${s.a} ${on ? s.b : ""}`} />; const tone = s.c; const t = other.s.d'
  expect(useOf('x.tsx', text, 's')).toEqual({
    given: [
      { at: 'x.tsx', name: 'a' },
      { at: 'x.tsx', name: 'b' },
    ],
    named: ['a', 'b', 'c'],
    chosen: false,
  })
  expect(useOf('x.tsx', '<p className={s[tone]} />', 's').chosen).toBe(true)
  expect(classesOf('.a > .b:hover, :global(.c) { top: 0.5rem } /* .d */')).toEqual(['a', 'b'])
})
