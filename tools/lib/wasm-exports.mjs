/** Sections of a WebAssembly module by their number in the binary format (https://webassembly.github.io/spec/core/binary). */
const IMPORTS = 2
const EXPORTS = 7
const HEADER_BYTES = 8
const [FUNCTION, TABLE, MEMORY, GLOBAL, TAG] = [0, 1, 2, 3, 4]

/** Reads a module's numbers (LEB128) and names in order. */
class Reader {
  constructor(bytes, at = 0) {
    this.bytes = bytes
    this.at = at
  }

  byte() {
    return this.part(1)[0]
  }

  number() {
    let value = 0
    for (let shift = 0; ; shift += 7) {
      const byte = this.byte()
      value += (byte & 0x7f) * 2 ** shift
      if (byte < 0x80) return value
    }
  }

  part(length) {
    this.at += length
    if (this.at > this.bytes.length) throw new Error('the WebAssembly module ends too early')
    return this.bytes.subarray(this.at - length, this.at)
  }

  name() {
    return Buffer.from(this.part(this.number())).toString('utf8')
  }

  limits() {
    const flags = this.number()
    this.number()
    if (flags & 1) this.number()
  }
}

/** A number as LEB128. */
function written(number) {
  const bytes = []
  for (let rest = number; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Buffer.from([...bytes, rest])
    bytes.push((rest % 128) + 128)
  }
}

/** The sections of a module in order, each with its number and its bytes. Throws if this is no WebAssembly module. */
function sectionsOf(bytes) {
  if (Buffer.from(bytes.subarray(0, 4)).toString('latin1') !== '\0asm')
    throw new Error('this is not a WebAssembly module')
  const reader = new Reader(bytes, HEADER_BYTES)
  const sections = []
  while (reader.at < bytes.length) {
    const number = reader.byte()
    sections.push({ number, content: reader.part(reader.number()) })
  }
  return sections
}

function skipImported(reader) {
  const kind = reader.byte()
  if (kind === FUNCTION) reader.number()
  else if (kind === MEMORY) reader.limits()
  else if (kind === TABLE || kind === GLOBAL || kind === TAG) {
    reader.byte()
    if (kind === TABLE) reader.limits()
    else reader.number()
  } else throw new Error(`an import of the unknown kind ${kind}`)
}

/** The module and name of everything that a WebAssembly module imports. */
export function importsOf(bytes) {
  const section = sectionsOf(bytes).find(({ number }) => number === IMPORTS)
  if (!section) return []
  const reader = new Reader(section.content)
  return Array.from({ length: reader.number() }, () => {
    const imported = { module: reader.name(), name: reader.name() }
    skipImported(reader)
    return imported
  })
}

/** A WebAssembly module without the exports whose name `isKept` refuses; everything else stays as it is. */
export function withExports(bytes, isKept) {
  const parts = [bytes.subarray(0, HEADER_BYTES)]
  for (const { number, content } of sectionsOf(bytes)) {
    const now = number === EXPORTS ? keptExports(content, isKept) : content
    parts.push(Buffer.from([number]), written(now.length), now)
  }
  return Buffer.concat(parts)
}

function keptExports(content, isKept) {
  const reader = new Reader(content)
  const kept = []
  for (let left = reader.number(); left > 0; left -= 1) {
    const from = reader.at
    const name = reader.name()
    reader.byte()
    reader.number()
    if (isKept(name)) kept.push(content.subarray(from, reader.at))
  }
  return Buffer.concat([written(kept.length), ...kept])
}

/**
 * Which exports of a module that Emscripten linked are used, as a condition for `withExports`: those that `script`, which
 * runs it, names, and the symbols whose addresses the module imports from itself.
 */
export function usedExports(bytes, script) {
  const named = new Set(script.match(/[\w$]+/g))
  const own = new Set(
    importsOf(bytes).flatMap(({ module, name }) => (module.startsWith('GOT.') ? [name] : [])),
  )
  return (name) => {
    // A function whose 64-bit numbers are passed in halves is exported a second time, as it was.
    const symbol = name.replace(/^orig\$/, '')
    return own.has(symbol) || named.has(symbol) || named.has(`_${symbol}`)
  }
}
