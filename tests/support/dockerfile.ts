/** An instruction of a Dockerfile, with its continued lines joined. */
export interface Instruction {
  name: string
  /** Everything after the name. */
  text: string
}

export interface Stage {
  /** Name after `AS`; of the last stage, `''`. */
  name: string
  image: string
  instructions: Instruction[]
}

/** The stages of a Dockerfile. Throws at a line that is no instruction of a stage. */
export function readStages(dockerfile: string): Stage[] {
  const stages: Stage[] = []
  const lines = dockerfile.replaceAll(/\\\n/g, ' ').split('\n')
  for (const line of lines) {
    if (line.trim() === '' || line.startsWith('#')) continue
    const [, name, text] = /^([A-Z]+)\s+(.+)$/.exec(line) ?? []
    if (name === undefined || text === undefined) throw new Error(`no instruction: ${line}`)
    if (name === 'FROM') {
      const [image = '', , alias = ''] = text.split(/\s+/)
      stages.push({ name: alias, image, instructions: [] })
      continue
    }
    const stage = stages.at(-1)
    if (stage === undefined) throw new Error(`before the first FROM: ${line}`)
    stage.instructions.push({ name, text })
  }
  return stages
}

/** `COPY`: its stage, or `null` for the build context, what is copied, and where to. */
export function readCopy(text: string): { from: string | null; sources: string[]; target: string } {
  const words = text.split(/\s+/)
  const [, from] = /^--from=(\S+)$/.exec(words[0] ?? '') ?? []
  const paths = from === undefined ? words : words.slice(1)
  return { from: from ?? null, sources: paths.slice(0, -1), target: paths.at(-1)! }
}

/** `ENV` in the form `NAME=value NAME=value`. */
export const readEnv = (text: string): Record<string, string> =>
  Object.fromEntries(text.split(/\s+/).map((pair) => pair.split(/=(.*)/s).slice(0, 2) as [string, string]))
