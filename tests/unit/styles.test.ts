import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const sheets = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.module.css'),
)

/** Selectors of the rules outside of conditions that have one class and nothing else. */
function plainRules(css: string): string[] {
  const lines = css.split('\n')
  return lines.flatMap((line, index) => {
    const name = /^\.([a-zA-Z]\w*) \{$/.exec(line)?.[1]
    return name === undefined || lines[index - 1]?.endsWith(',') ? [] : [name]
  })
}

// A second rule of the same name changes whatever uses the first one, on screens that nobody is looking at.
test.each(sheets)('%s has one rule a class', (name) => {
  const rules = plainRules(readFileSync(join('src', name), 'utf8'))
  expect(rules.filter((rule, index) => rules.indexOf(rule) !== index)).toEqual([])
})

test('the rules are found', () => {
  expect(sheets.length).toBeGreaterThan(10)
  expect(plainRules('.a {\n}\n.b,\n.c {\n}\n@media x {\n  .a {\n}\n}\n.a {')).toEqual(['a', 'a'])
})
