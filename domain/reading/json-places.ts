const [QUOTE, LIST, OBJECT] = ['"', '[', '{'].map((sign) => sign.charCodeAt(0))
/** Any characters but quotes, backslashes and control characters, and escaped ones between them. */
const STRING = /"[ !#-[\]-\uFFFF]*(?:\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})[ !#-[\]-\uFFFF]*)*"/y
const SCALAR = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y

/** The signs that may follow in each state; `s` is a string, `n` a number or a word. */
const ALLOWED = {
  value: '{[sn',
  'first-item': '{[sn]',
  'first-key': 's}',
  key: 's',
  colon: ':',
  'rest-of-list': ',]',
  'rest-of-object': ',}',
  end: '',
} as const
type State = keyof typeof ALLOWED

/** Where the items of the outermost list of a JSON text begin, and where the text is not JSON; `null` if it is. */
export interface JsonPlaces {
  items: number[]
  error: number | null
}

/**
 * Walks through a JSON text: `JSON.parse` says in no browser where an item begins, and not in every one where it failed.
 *
 * ```ts
 * jsonPlaces('[{"a": 1}, 2]') // => { items: [1, 11], error: null }
 * jsonPlaces('[{"a": 1} 2]') // => { items: [1], error: 10 }
 * ```
 */
export function jsonPlaces(text: string): JsonPlaces {
  const items: number[] = []
  const open: number[] = []
  let state: State = 'value'
  let at = 0
  for (;;) {
    at = afterBlanks(text, at)
    if (at >= text.length) return { items, error: state === 'end' ? null : text.trimEnd().length }
    const code = text.charCodeAt(at)
    const { sign, length } = tokenAt(text, at, code)
    if (length === 0 || !ALLOWED[state].includes(sign)) return { items, error: at }
    if (
      (state === 'value' || state === 'first-item') &&
      open.length === 1 &&
      open[0] === LIST &&
      sign !== ']'
    )
      items.push(at)
    if (sign === '{' || sign === '[') open.push(code)
    if (sign === '}' || sign === ']') open.pop()
    state = stateAfter(sign, state, open.at(-1))
    at += length
  }
}

function afterBlanks(text: string, from: number): number {
  let at = from
  for (
    let code = text.charCodeAt(at);
    code === 32 || (code >= 9 && code <= 13 && code !== 11 && code !== 12);
  ) {
    at += 1
    code = text.charCodeAt(at)
  }
  return at
}

function tokenAt(text: string, at: number, code: number): { sign: string; length: number } {
  const character = text[at]!
  if ('{}[],:'.includes(character)) return { sign: character, length: 1 }
  const pattern = code === QUOTE ? STRING : SCALAR
  pattern.lastIndex = at
  return { sign: code === QUOTE ? 's' : 'n', length: pattern.test(text) ? pattern.lastIndex - at : 0 }
}

function stateAfter(sign: string, state: State, inside: number | undefined): State {
  if (sign === '{') return 'first-key'
  if (sign === '[') return 'first-item'
  if (sign === ':') return 'value'
  if (sign === ',') return state === 'rest-of-object' ? 'key' : 'value'
  if (state === 'key' || (state === 'first-key' && sign === 's')) return 'colon'
  if (inside === undefined) return 'end'
  return inside === OBJECT ? 'rest-of-object' : 'rest-of-list'
}
