export const PROGRAM: string
export function buildProgram(): void
