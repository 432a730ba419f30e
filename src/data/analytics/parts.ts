/**
 * Parts of the page that are separate chunks. A repeated `import()` of a loaded module resolves only after
 * everything else the page has to do, which would delay a whole click: loaded modules are therefore cached
 * here for synchronous use.
 */
function part<Module>(load: () => Promise<Module>) {
  let loaded: Module | null = null
  return {
    /** The module; `null` until it is loaded. */
    now: (): Module | null => loaded,
    load: async (): Promise<Module> => (loaded ??= await load()),
  }
}

export const engine = part(() => import('./engine.ts'))
export const decoder = part(() => import('./decode.ts'))
