export function importsOf(bytes: Uint8Array): { module: string; name: string }[]
export function withExports(bytes: Uint8Array, isKept: (name: string) => boolean): Buffer<ArrayBuffer>
export function usedExports(bytes: Uint8Array, script: string): (name: string) => boolean
