/** The address of the analytics API, on the server that serves this page. */
const address = (): string => new URL('analytics/query', document.baseURI).href

/**
 * A request for rows as a program for a POSIX shell with curl, that the user can run with their own token: it asks for page after
 * page, and prints the rows as CSV. `to`: the address of the call.
 */
export function curlText(regionId: string, rows: object, to = address()): string {
  const text = JSON.stringify({ regionId, request: { rows } }).replaceAll("'", String.raw`'\''`)
  // The shell puts the cursor between the quotes.
  const body = `${text.slice(0, -1)},"cursor":"'"$cursor"'"}`
  return `cursor= first=1 head=$(mktemp)
while
  curl -sS --fail-with-body --retry 3 -D "$head" '${to}' \\
    -H "Authorization: Bearer $FURLONG_TOKEN" -H 'Content-Type: application/json' -H 'Accept: text/csv' \\
    -d '${body}' | tail -n +$first
  cursor=$(sed -n 's/.*"cursor":"\\([^"]*\\)".*/\\1/p' "$head")
  [ -n "$cursor" ]
do first=2; done
rm "$head"
`
}

/**
 * The same request as a Python program without further packages; it asks for page after page, and prints a dictionary for
 * each row.
 */
export const pythonText = (regionId: string, rows: object): string => `import json, os, urllib.request

request = ${pythonLiteral({ rows }, '')}
headers = {"Authorization": "Bearer " + os.environ["FURLONG_TOKEN"], "Content-Type": "application/json"}
cursor = ""
while cursor is not None:
    body = json.dumps({"regionId": ${pythonLiteral(regionId, '')}, "request": request, "cursor": cursor}).encode()
    call = urllib.request.Request(${pythonLiteral(address(), '')}, data=body, headers=headers)
    with urllib.request.urlopen(call) as response:
        page = json.load(response)["result"]
    for row in page["rows"]:
        print(row)
    cursor = page["about"]["cursor"]
`

/** Longest list or dictionary that stays on one line, in characters. */
const MAX_LINE = 88

/** A JSON value as a Python literal: a JSON string is one in Python too. */
export function pythonLiteral(value: unknown, indent: string): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value !== 'object') return JSON.stringify(value)
  const inner = `${indent}    `
  const isList = Array.isArray(value)
  const parts = (of: string): string[] =>
    isList
      ? value.map((each) => pythonLiteral(each, of))
      : Object.entries(value).map(([key, each]) => `${JSON.stringify(key)}: ${pythonLiteral(each, of)}`)
  const [open, close] = isList ? '[]' : '{}'
  const line = `${open}${parts(indent).join(', ')}${close}`
  if (line.length <= MAX_LINE && !line.includes('\n')) return line
  return `${open}\n${parts(inner)
    .map((part) => `${inner}${part},\n`)
    .join('')}${indent}${close}`
}
