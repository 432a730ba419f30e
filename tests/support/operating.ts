import { readFileSync } from 'node:fs'

/** The code blocks of `docs/operating.md`. */
export const OPERATING_BLOCKS: readonly string[] = [
  ...readFileSync(new URL('../../docs/operating.md', import.meta.url), 'utf8').matchAll(
    /^```\n(.*?)\n```$/gms,
  ),
].map(([, block]) => block!)

/** The block of the operating page that begins with a text; tests run it as it is written there. */
export function operatingBlock(start: string): string {
  const found = OPERATING_BLOCKS.filter((block) => block.startsWith(start))
  if (found.length !== 1) throw new Error(`${found.length} blocks of docs/operating.md begin with: ${start}`)
  return found[0]!
}

/** The line in the blocks of the operating page that begins with a text, without its comment. */
export function operatingLine(start: string): string {
  const lines = OPERATING_BLOCKS.flatMap((block) => block.split('\n')).filter((line) =>
    line.startsWith(start),
  )
  const found = [...new Set(lines.map((line) => line.replace(/\s+#.*$/, '')))]
  if (found.length !== 1) throw new Error(`${found.length} lines of docs/operating.md begin with: ${start}`)
  return found[0]!
}

/** The variables that a block of the operating page sets; each `…` stands for a value of the operator's own. */
export function operatingVariables(start: string, own: string): Record<string, string> {
  const pairs = operatingBlock(start).matchAll(/\b([A-Z][A-Z0-9_]+)=([^\s#]+)/g)
  return Object.fromEntries([...pairs].map(([, name, value]) => [name!, value === '…' ? own : value!]))
}
