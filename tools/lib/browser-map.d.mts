export const SPECS_OF: Readonly<Record<string, readonly string[]>>
export const EVERYTHING: readonly string[]
export const NOTHING: readonly string[]
export function specsFor(paths: readonly string[]): 'all' | string[]
