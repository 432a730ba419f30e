import { expect, test } from 'vitest'
import { importsOf, usedExports, withExports } from '../../tools/lib/wasm-exports.mjs'

/** A module that exports the functions `one`, `two` and `orig$two`, which return 1 and 2, and imports a global. */
const MODULE = Buffer.concat([
  Buffer.from('\0asm\x01\0\0\0', 'latin1'),
  section(1, [1, 0x60, 0, 1, 0x7f]),
  section(2, [1, ...name('GOT.mem'), ...name('stdout'), 3, 0x7f, 1]),
  section(3, [2, 0, 0]),
  section(7, [3, ...name('one'), 0, 0, ...name('two'), 0, 1, ...name('orig$two'), 0, 1]),
  section(10, [2, 4, 0, 0x41, 1, 0x0b, 4, 0, 0x41, 2, 0x0b]),
])

function name(text: string): number[] {
  return [text.length, ...Buffer.from(text)]
}

function section(number: number, content: number[]): Buffer {
  return Buffer.from([number, content.length, ...content])
}

const exportsOf = (bytes: Uint8Array): string[] =>
  WebAssembly.Module.exports(new WebAssembly.Module(Uint8Array.from(bytes))).map((each) => each.name)

test('a module keeps the exports that are wanted, and they do the same', async () => {
  expect(exportsOf(MODULE)).toEqual(['one', 'two', 'orig$two'])
  const small = withExports(MODULE, (each) => each === 'two')
  expect(exportsOf(small)).toEqual(['two'])
  const stdout = new WebAssembly.Global({ value: 'i32', mutable: true }, 0)
  const { instance } = await WebAssembly.instantiate(small, { 'GOT.mem': { stdout } })
  expect((instance.exports as { two(): number }).two()).toBe(2)
  expect(withExports(MODULE, () => true).equals(MODULE)).toBe(true)
})

test('exports that the script names are used, also by their older form, and those that the module imports', () => {
  expect(importsOf(MODULE)).toEqual([{ module: 'GOT.mem', name: 'stdout' }])
  const isUsed = usedExports(MODULE, 'Module._two=()=>wasmExports.two()')
  expect(['one', 'two', 'orig$two', 'stdout', 'twofold'].filter(isUsed)).toEqual([
    'two',
    'orig$two',
    'stdout',
  ])
})

test('what is no module, or ends too early, is an error', () => {
  expect(() => withExports(Buffer.from('no module'), () => true)).toThrow('not a WebAssembly module')
  expect(() => importsOf(MODULE.subarray(0, 20))).toThrow('ends too early')
})
