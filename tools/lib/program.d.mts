export const PROGRAM: string
export const COMMAND: readonly string[]
export function buildProgram(): void
